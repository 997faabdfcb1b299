import { AtriumError } from '../../client/index.ts'
import { api, isRefusal, session } from './api.ts'
import { store } from './store.ts'

/** A permission of the service, or `system:tenant:list`, what the routes for the system administrator demand. */
export interface Person {
  id: number
  username: string
  nickname: string | null
  tenantId: number
  /** undefined while the person is without the second factor */
  tenant: { code: string; name: string } | undefined
  roles: readonly string[]
  permissions: readonly string[]
  /** the tenant requires a second factor, and the person has none: until then everything else is refused */
  isWithoutFactor?: true
}

/** Who is signed in: undefined until it is known, null if nobody is. */
export const me = store<Person | null | undefined>(undefined)

/**
 * Asks who is signed in. What fails because the service is away leaves it open. The page of a person whose session has
 * ended stays, and waits for them.
 */
export async function recognize(): Promise<void> {
  try {
    if (session.load()) return become(await whoAmI())
  } catch {
    if (session.load()) return
  }
  if (me.get()) awaitReturn()
  else me.set(null)
}

/** The page belongs to this person from now on, or to nobody. What the one before them typed does not stay. */
function become(person: Person | null): void {
  const before = me.get()
  me.set(person)
  endWait(person !== null && before?.id === person.id && before.tenantId === person.tenantId)
}

/** While the session of the person at the page has ended: settled when it is known whether they are back. */
export const sessionEnd = store<PromiseWithResolvers<boolean> | undefined>(undefined)

/** Keeps the page as it is until its person has signed in again, or has gone. */
function awaitReturn(): void {
  if (!sessionEnd.get()) sessionEnd.set(Promise.withResolvers())
}

/** @param isBack whether the same person goes on */
function endWait(isBack: boolean): void {
  const end = sessionEnd.get()
  sessionEnd.set(undefined)
  end?.resolve(isBack)
}

/** Whether something was refused because the session is over, elsewhere or by time. */
export function isPastEnd(failure: unknown): boolean {
  const isOver = isRefusal(failure, 'UNAUTHENTICATED') && !session.load()
  if (isOver) awaitReturn()
  return isOver
}

/** Resolves with true when something was refused because the session was over, and its person has signed in again. */
export async function signedInAgain(failure: unknown): Promise<boolean> {
  return isPastEnd(failure) && sessionEnd.get()!.promise
}

const WITHOUT_FACTOR: Person = {
  ...{ id: 0, username: '', nickname: null, tenantId: 0, tenant: undefined, roles: [], permissions: [] },
  isWithoutFactor: true,
}

async function whoAmI(): Promise<Person> {
  const person = await api.getMe().catch((failure) => {
    if (isRefusal(failure, 'SECOND_FACTOR_MISSING')) return undefined
    throw failure
  })
  if (!person) return WITHOUT_FACTOR
  const isSystem = person.permissions.includes('tenant:list') && (await mayEnterTheSystem())
  return isSystem ? { ...person, permissions: [...person.permissions, 'system:tenant:list'] } : person
}

/** There is one system administrator, and no permission says who. */
async function mayEnterTheSystem(): Promise<boolean> {
  try {
    await api.listJobs()
    return true
  } catch (error) {
    if (error instanceof AtriumError && error.status === 403) return false
    throw error
  }
}

/** What was typed into the form of sign-in. */
export interface Entry {
  username: string
  password: string
  tenantCode?: string | undefined
  code?: string | undefined
}

/** @throws AtriumError, such as SECOND_FACTOR_REQUIRED */
export async function signIn(entry: Entry): Promise<void> {
  const { accessToken, refreshToken } = await api.login({ body: entry })
  session.save({ accessToken, refreshToken })
  become(await whoAmI())
}

/** Why a sign-in at the identity provider came to nothing, as the service names it. */
export const providerError = store<string | undefined>(undefined)

/** The secret of the sign-in at a provider that this tab has begun. */
const BEGUN = 'atrium.sign-in'

/** Leads the browser to the identity provider of a tenant, which leads it back to this page. @throws TypeError without https */
export async function signInAtProvider(tenant: string | null, where: '_self' | '_blank'): Promise<void> {
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

export async function signOut(): Promise<void> {
  await api.signOut().catch(() => session.save(undefined))
  become(null)
}

/** Ends all sessions of the person: those elsewhere, then this one. @throws AtriumError if those elsewhere may go on */
export async function signOutEverywhere(): Promise<void> {
  await api.endOtherSessions()
  await signOut()
}

/** Gives the page up after its session has ended. */
export const giveUp = (): void => become(null)

/** Whether the person holds a permission. The service decides; this is for what is offered. */
export const may = (permission: string): boolean => me.get()?.permissions.includes(permission) ?? false
