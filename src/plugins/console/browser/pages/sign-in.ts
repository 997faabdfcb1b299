import { isRefusal } from '../lib/api.ts'
import { useCommand } from '../lib/command.ts'
import { html, useEffect, useState, type View } from '../lib/html.ts'
import { t } from '../lib/language.ts'
import { giveUp, type Person, signIn } from '../lib/me.ts'
import { place } from '../lib/router.ts'
import { Dialog } from '../parts/dialog.ts'
import { Field, Form, type Values } from '../parts/form.ts'
import { Page, Slot } from '../parts/page.ts'

/** The page of sign-in. */
export function SignIn(): View {
  const tenant = place.use().query.get('tenant')
  return html`<div class="narrow">
    <${Page} title=${t('Sign in')}><${SignInForm} tenant=${tenant} /><//>
  </div>`
}

/** Over the page of somebody whose session has ended: what they typed there stays, and what they were doing goes on. */
export function SignInAgain({ person: { username, tenant } }: { person: Person }): View {
  return html`<${Dialog} title=${t('Sign in again')} takes=${document} onClose=${giveUp}>
    <p>${t('Your session has ended. Everything on this page is kept.')}</p>
    <${SignInForm} tenant=${tenant?.code ?? null} username=${username} isOver />
  <//>`
}

interface SignInOptions {
  /** the code of the tenant, if it is known */
  tenant: string | null
  username?: string
  /** the page below it has to stay */
  isOver?: boolean
}

/** The form of sign-in. The code of the second factor is asked for when the service asks for it. */
function SignInForm({ tenant, username, isOver }: SignInOptions): View {
  const command = useCommand(({ username = '', password = '', tenantCode, code }: Values) =>
    signIn({ username, password, tenantCode: tenantCode || tenant || undefined, code: code || undefined }),
  )
  const [needsCode, askForCode] = useState(false)
  useEffect(() => {
    if (isRefusal(command.failure, 'SECOND_FACTOR_REQUIRED')) askForCode(true)
  }, [command.failure])
  return html`<${Form} command=${command} save=${t('Sign in')} isGuarded=${false}>
        <${Field} name="username" label=${t('User name')} value=${username} autocomplete="username" required autofocus=${!username} />
        <${Field} name="password" label=${t('Password')} type="password" autocomplete="current-password" required autofocus=${Boolean(username)} />
        ${!tenant && html`<${Field} name="tenantCode" label=${t('Tenant')} hint=${t('Leave empty unless you were given a tenant code.')} autocomplete="organization" />`}
        ${needsCode && html`<${Field} name="code" label=${t('Code')} hint=${t('From your authenticator, or one of your recovery codes.')} autocomplete="one-time-code" inputmode="numeric" autofocus />`}
      <//>
      <${Slot} name="sign-in" tenant=${tenant} isOver=${isOver} />`
}
