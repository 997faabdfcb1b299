import { api, session } from '#console/lib/api.ts'
import { html, type View } from '#console/lib/html.ts'
import { t } from '#console/lib/language.ts'
import { useLoad } from '#console/lib/load.ts'
import { store } from '#console/lib/store.ts'

/**
 * Leads to the identity provider of the tenant, if it has one. The page of somebody whose session has ended stays, so that
 * they sign in on another tab.
 */
export default function ProviderSignIn({ tenant, isOver }: { tenant: string | null; isOver?: boolean }): View {
  const methods = useLoad(() => api.getSignInMethods(tenant ? { tenantCode: tenant } : {}), [tenant])
  const error = providerError.use()
  const leave = () =>
    signInAtProvider(tenant, isOver ? '_blank' : '_self').catch(() => providerError.set('INSECURE_PAGE'))
  return html`
    ${methods.data?.identityProvider && html`<p><button type="button" onClick=${leave}>${t('Sign in with the account of your organization')}</button></p>`}
    ${error && html`<p class="wrong" role="alert">${errorWords(error)}</p>`}
  `
}

function errorWords(error: string): string {
  switch (error) {
    case 'ACCESS_DENIED':
      return t('The provider has refused the sign-in.')
    case 'ACCOUNT_NOT_FOUND':
      return t('There is no account for you here. Ask an administrator for an invitation.')
    case 'ACCOUNT_DISABLED':
      return t('Your account is disabled.')
    case 'SIGN_IN_EXPIRED':
      return t('The sign-in took too long. Try again.')
    default:
      return t('The sign-in at the provider did not succeed. Try again later.')
  }
}

/** Why a sign-in at the identity provider came to nothing, as the service names it. */
const providerError = store<string | undefined>(undefined)

/** The secret of the sign-in at a provider that this tab has begun. */
const BEGUN = 'atrium.sign-in'

/** Leads the browser to the identity provider of a tenant, which leads it back to this page. @throws TypeError without https */
async function signInAtProvider(tenant: string | null, where: '_self' | '_blank'): Promise<void> {
  const codeVerifier = base64url(crypto.getRandomValues(new Uint8Array(32)))
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(codeVerifier))
  sessionStorage.setItem(BEGUN, codeVerifier)
  const query = { returnTo: `${location.origin}/console/`, codeChallenge: base64url(new Uint8Array(hash)) }
  // A new tab begins with a copy of what this one has stored.
  open(`/api/v1/auth/oidc/start?${new URLSearchParams({ ...(tenant && { tenantCode: tenant }), ...query })}`, where)
}

const base64url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes)).replace(/[+/=]/g, (one) => ({ '+': '-', '/': '_' })[one] ?? '')

/**
 * Ends a sign-in at the identity provider: it came back with a code for a session, or with an error. A code that this tab has
 * not begun is ignored: somebody else may have begun it, to have their session taken for that of the person here.
 */
export async function returnFromProvider(): Promise<void> {
  const facts = new URLSearchParams(location.hash.slice(1))
  const [code, error] = [facts.get('code'), facts.get('error')]
  if (!code && !error) return
  history.replaceState(null, '', location.pathname + location.search)
  const codeVerifier = sessionStorage.getItem(BEGUN)
  sessionStorage.removeItem(BEGUN)
  if (error) return providerError.set(error)
  if (!codeVerifier) return
  try {
    const { accessToken, refreshToken } = await api.exchangeSignInCode({ body: { code: code!, codeVerifier } })
    session.save({ accessToken, refreshToken })
  } catch {
    providerError.set('SIGN_IN_EXPIRED')
  }
}
