import { AtriumError, api, type IdentityProvider, type Role } from '#console/lib/api.ts'
import { useCommand } from '#console/lib/command.ts'
import { html, useState, type View } from '#console/lib/html.ts'
import { t } from '#console/lib/language.ts'
import { useLoad } from '#console/lib/load.ts'
import { may } from '#console/lib/me.ts'
import { useRoles } from '#console/lib/roles.ts'
import { Confirm } from '#console/parts/dialog.ts'
import { Edit } from '#console/parts/edit.ts'
import { Check, Field, Form, type Values } from '#console/parts/form.ts'
import { say } from '#console/parts/notice.ts'
import { Empty, factList, Show } from '#console/parts/page.ts'

/** The OpenID Connect provider at which the people of the tenant sign in. */
export default function Provider(): View {
  return may('settings:manage') ? html`<${ProviderForm} />` : null
}

function ProviderForm(): View {
  const provider = useLoad(
    () =>
      api.getIdentityProvider().catch((error) => {
        if (error instanceof AtriumError && error.status === 404) return null
        throw error
      }),
    [],
  )
  const roles = useRoles()
  return html`<section>
    <h2>${t('Identity provider')}</h2>
    <${Show} of=${provider}>${(now: IdentityProvider | null) =>
      now
        ? html`<${Existing} key=${now.issuer} of=${provider} roles=${roles.data ?? []} />`
        : html`<${Missing} roles=${roles.data ?? []} then=${provider.again} />`}<//>
  </section>`
}

function Missing({ roles, then }: { roles: Role[]; then(): void }): View {
  const [isOpen, open] = useState(false)
  const command = useCommand(
    (values: Values) => api.saveIdentityProvider({ body: bodyOf(values) }),
    () => {
      say(t('Saved'))
      then()
    },
  )
  if (!isOpen)
    return html`<${Empty}>
      <p>${t('People sign in with their passwords. With a provider they can sign in with the account of your organization.')}</p>
      <button type="button" onClick=${() => open(true)}>${t('Connect a provider')}</button>
    <//>`
  return html`<${Form} command=${command} save=${t('Connect')}><${Fields} of=${undefined} roles=${roles} /><//>`
}

function Existing({ of, roles }: { of: ReturnType<typeof useLoad<IdentityProvider | null>>; roles: Role[] }): View {
  const provider = of.data!
  const facts = (now: IdentityProvider | null) =>
    [
      [t('Address of the provider'), now?.issuer ?? ''],
      [t('Client id'), now?.clientId ?? ''],
      [t('Claim with the groups'), now?.groupsClaim ?? ''],
      [t('Groups and the roles that they give'), groupsText(now?.groupRoles)],
      [t('Passwords'), now?.passwordSignIn === 'forbidden' ? t('forbidden') : t('allowed')],
    ] as const
  return html`
    ${factList([[t('Address that the provider must know'), provider.redirectUri]])}
    <${Edit}
      of=${of}
      address="/api/v1/tenant/identity-provider"
      facts=${facts}
      save=${(values: Values, { version }: IdentityProvider) => api.saveIdentityProvider({ body: { ...bodyOf(values), version } })}
    >
      ${(now: IdentityProvider) => html`<${Fields} of=${now} roles=${roles} />`}
    <//>
    <div class="actions">
      <${Confirm}
        label=${t('Disconnect the provider')}
        question=${t('Nobody can sign in at the provider any more. People who have no password need a new one.')}
        act=${() => api.deleteIdentityProvider()}
        then=${of.again}
      />
    </div>
  `
}

function Fields({ of: now, roles }: { of: IdentityProvider | undefined; roles: Role[] }): View {
  return html`
    <${Field} name="issuer" label=${t('Address of the provider')} type="url" hint=${t('Its discovery document is read when you save.')} value=${now?.issuer} required />
    <${Field} name="clientId" label=${t('Client id')} value=${now?.clientId} required />
    <${Field}
      name="clientSecret"
      label=${t('Client secret')}
      type="password"
      autocomplete="new-password"
      hint=${now ? t('It is never shown. Left empty, it stays.') : undefined}
      required=${!now}
    />
    <${Field} name="groupsClaim" label=${t('Claim with the groups')} hint=${t('Without it, groups give no roles.')} value=${now?.groupsClaim} />
    <${Field}
      name="groupRoles"
      label=${t('Groups and the roles that they give')}
      rows=${3}
      hint=${t('One on each line, such as staff = user. Codes of roles: {codes}', { codes: roles.map(({ code }) => code).join(', ') })}
      value=${groupsText(now?.groupRoles)}
    />
    <${Field}
      name="passwordSignIn"
      label=${t('Passwords')}
      value=${now?.passwordSignIn ?? 'allowed'}
      options=${[['allowed', t('allowed')], ['forbidden', t('forbidden')]]}
    />
    <${Check} name="createUsers" label=${t('Somebody whom only the provider knows gets an account')} checked=${now?.createUsers ?? false} />
  `
}

/** `staff = user`, one group on each line. */
function groupsText(groupRoles: Record<string, string> = {}): string {
  return Object.entries(groupRoles)
    .map(([group, role]) => `${group} = ${role}`)
    .join('\n')
}

function bodyOf({ issuer = '', clientId = '', clientSecret, groupsClaim, groupRoles = '', ...rest }: Values) {
  const lines = groupRoles.split('\n').filter((line) => line.trim())
  const groups = lines.map((line) => {
    const [group = '', role = ''] = line.split(/=([^=]*)$/)
    return [group.trim(), role.trim()]
  })
  return {
    ...{ issuer, clientId, groupsClaim: groupsClaim || null, groupRoles: Object.fromEntries(groups) },
    ...(clientSecret && { clientSecret }),
    createUsers: rest.createUsers !== undefined,
    passwordSignIn: rest.passwordSignIn as IdentityProvider['passwordSignIn'],
  }
}
