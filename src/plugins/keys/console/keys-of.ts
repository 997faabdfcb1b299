import { api, type Key, type Role, type ServiceAccount } from '#console/lib/api.ts'
import { useCommand } from '#console/lib/command.ts'
import { endOf } from '#console/lib/days.ts'
import { html, useState, type View } from '#console/lib/html.ts'
import { t, timeText } from '#console/lib/language.ts'
import { useRows } from '#console/lib/load.ts'
import { useRoles } from '#console/lib/roles.ts'
import { Confirm, Dialog, Once } from '#console/parts/dialog.ts'
import { Check, Field, Form, tickedIn, type Values } from '#console/parts/form.ts'
import { Badge, Empty } from '#console/parts/page.ts'
import { list } from '#console/parts/table.ts'

/** The keys of a service account. A new one is shown once. */
export function KeysOf({ account }: { account: ServiceAccount }): View {
  const { id } = account
  const keys = useRows(() => api.each.listKeys({ id }), [id])
  const [isMaking, setMaking] = useState(false)
  const [secret, show] = useState<string>()
  const made = (key: string) => {
    setMaking(false)
    show(key)
    keys.again()
  }
  const add = html`<button type="button" class="main" onClick=${() => setMaking(true)}>${t('Make a key')}</button>`
  return html`<div class="head">
      <h2>${t('Keys')}</h2>
      ${keys.data?.length ? add : null}
    </div>
    ${list({
      of: keys,
      caption: t('Keys'),
      empty: html`<${Empty}><p>${t('The account has no key yet, so nobody can call as it.')}</p>${add}<//>`,
      columns: [
        { title: t('Name of the key'), of: ({ name, prefix }) => html`${name}<div class="quiet">${prefix}…</div>` },
        {
          title: t('May'),
          of: ({ permissions }) => (permissions ? permissions.join(', ') : t('all that the account may')),
        },
        { title: t('Expires'), of: Expiry },
        {
          title: t('Last used'),
          isTime: true,
          of: ({ lastUsedAt }) => (lastUsedAt ? timeText(lastUsedAt) : t('never')),
        },
        {
          title: t('Actions'),
          of: ({ id: keyId, name }) => html`<${Confirm}
            label=${t('Revoke')}
            about=${name}
            question=${t('Whoever uses the key {name} is refused within a second. This cannot be undone.', { name })}
            act=${() => api.revokeKey({ id, keyId })}
            said=${t('The key {name} is revoked.', { name })}
            then=${keys.again}
          />`,
        },
      ],
    })}
    ${isMaking && html`<${NewKey} account=${account} made=${made} onClose=${() => setMaking(false)} />`}
    ${secret && html`<${Once} title=${t('Your new key')} text=${t('Copy it into the other system now. It is shown only this once and kept nowhere.')} value=${secret} onClose=${() => show(undefined)} />`}`
}

function Expiry({ expiresAt }: Key): View {
  if (!expiresAt) return html`<span>${t('never')}</span>`
  const isOver = Date.parse(expiresAt) <= Date.now()
  return html`<span>${timeText(expiresAt)}</span> ${isOver && html`<${Badge} kind="bad">${t('expired')}<//>`}`
}

interface NewKeyOptions {
  account: ServiceAccount
  made(key: string): void
  onClose(): void
}

function NewKey({ account, made, onClose }: NewKeyOptions): View {
  const command = useCommand(
    ({ name = '', expiresAt, ...boxes }: Values) => {
      const permissions = tickedIn(boxes, 'may')
      const body = { name, expiresAt: endOf(expiresAt), permissions: permissions.length ? permissions : null }
      return api.createKey({ id: account.id, body })
    },
    ({ key }) => made(key),
  )
  return html`<${Dialog} title=${t('Make a key')} onClose=${onClose}>
    <${Form} command=${command} save=${t('Make a key')}>
      <${Field} name="name" label=${t('Name of the key')} hint=${t('Where it is used, such as "Production"')} required autofocus />
      <${Field} name="expiresAt" label=${t('Expires')} type="date" hint=${t('Empty: it does not expire.')} />
      <${Narrowing} codes=${account.roles} />
    <//>
  <//>`
}

/** A key may give less than its account. */
function Narrowing({ codes }: { codes: readonly string[] }): View {
  const roles = useRoles()
  const held = (roles.data ?? []).filter(({ code }: Role) => codes.includes(code))
  const permissions = [...new Set(held.flatMap((role) => role.permissions))].sort()
  if (permissions.length === 0) return null
  return html`<details>
    <summary>${t('Only a part of what the account may')}</summary>
    <div class="boxes">${permissions.map((code) => html`<${Check} key=${code} name=${`may-${code}`} label=${code} />`)}</div>
  </details>`
}
