import { api, type Webhook } from '#console/lib/api.ts'
import { useCommand } from '#console/lib/command.ts'
import { html, useState, type View } from '#console/lib/html.ts'
import { numberText, t, timeText } from '#console/lib/language.ts'
import { useRows } from '#console/lib/load.ts'
import { go } from '#console/lib/router.ts'
import { Field, Form, type Values } from '#console/parts/form.ts'
import { Badge, Empty, Page, pages } from '#console/parts/page.ts'
import { list } from '#console/parts/table.ts'
import { TypeBoxes, typesIn } from './types.ts'
import { One, SecretOnce } from './webhook.ts'

/** Addresses of other systems that are sent what happens: `webhooks`, `webhooks/new`, `webhooks/7`. */
export default pages({ all: All, fresh: NewWebhook, one: One })

export function Status({ of: { status } }: { of: Pick<Webhook, 'status'> }): View {
  if (status === 'active') return html`<${Badge} kind="good">${t('active')}<//>`
  return status === 'paused'
    ? html`<${Badge} kind="warn">${t('paused')}<//>`
    : html`<${Badge} kind="bad">${t('failing')}<//>`
}

function All(): View {
  const webhooks = useRows(() => api.each.listWebhooks(), [])
  const add = html`<a class="button" href="/console/webhooks/new">${t('Add a webhook')}</a>`
  return html`<${Page} title=${t('Webhooks')} actions=${add}>
    ${list({
      of: webhooks,
      caption: t('Webhooks'),
      empty: html`<${Empty}>
        <p>${t('What happens in the tenant is sent to the address of another system, immediately and signed. Add the first address.')}</p>
        ${add}
      <//>`,
      columns: [
        {
          title: t('Webhook address'),
          of: ({ id, url, description }) =>
            html`<a href=${`/console/webhooks/${id}`}>${url}</a>${description && html`<div class="quiet">${description}</div>`}`,
        },
        { title: t('Events'), of: ({ types }) => typesText(types) },
        { title: t('Status'), of: (webhook) => html`<${Status} of=${webhook} />` },
        { title: t('Since'), isTime: true, of: ({ createdAt }) => timeText(createdAt) },
      ],
    })}
  <//>`
}

const FEW = 3

/** A few are named, many are counted. */
export function typesText(types: readonly string[]): string {
  if (types.includes('*')) return t('all events')
  return types.length <= FEW ? types.join(', ') : t('{count} types of events', { count: numberText(types.length) })
}

/** The secret is shown before the webhook is opened: it is not shown there. */
function NewWebhook(): View {
  const [id, setId] = useState<number>()
  const [secret, show] = useState<string>()
  const command = useCommand(
    ({ url = '', description, ...boxes }: Values) =>
      api.createWebhook({ body: { url, description: description || null, types: typesIn(boxes) } }),
    (made) => {
      setId(made.id)
      show(made.secret)
    },
  )
  return html`<${Page} title=${t('Add a webhook')}>
    <${Form} command=${command} save=${t('Add')}>
      <${Field} name="url" label=${t('Webhook address')} type="url" hint=${t('Begins with https://; it has to be reachable from the internet.')} required autofocus />
      <${Field} name="description" label=${t('Description')} />
      <${TypeBoxes} held=${['*']} />
    <//>
    ${secret && html`<${SecretOnce} value=${secret} onClose=${() => go(`webhooks/${id}`)} />`}
  <//>`
}
