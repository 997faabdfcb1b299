import { sayFailure, unsay } from '../parts/notice.ts'
import { subjects } from '../subjects.ts'
import { AtriumError, api, isRefusal, session } from './api.ts'
import { store } from './store.ts'

export interface Person {
  id: number
  username: string
  nickname: string | null
  tenantId: number
  /** undefined while everything is refused */
  tenant: { code: string; name: string } | undefined
  roles: readonly string[]
  permissions: readonly string[]
  /** the type of the refusal of everything but the page that lifts it */
  refusal?: string
}

/** Who is signed in: undefined until it is known, null if nobody is. */
export const me = store<Person | null | undefined>(undefined)

/**
 * Asks who is signed in. What fails because the service is away leaves it open. The page of a person whose session has
 * ended stays, and waits for them. A session that nothing is answered to, such as that of a disabled tenant, is given up.
 */
export async function recognize(): Promise<void> {
  try {
    if (session.load()) return become(await whoAmI())
  } catch (failure) {
    if (failure instanceof AtriumError && failure.status === 403) {
      session.save(undefined)
      become(null)
      return sayFailure(failure)
    }
    if (session.load()) return
  }
  if (me.get()) awaitReturn()
  else me.set(null)
}

/** The page belongs to this person from now on, or to nobody. What the one before them typed, or was told, does not stay. */
function become(person: Person | null): void {
  const before = me.get()
  const isSame = person !== null && before?.id === person.id && before.tenantId === person.tenantId
  me.set(person)
  if (!isSame) unsay()
  endWait(isSame)
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

const NOBODY = { id: 0, username: '', nickname: null, tenantId: 0, tenant: undefined, roles: [], permissions: [] }

async function whoAmI(): Promise<Person> {
  const person = await api.getMe().catch((failure) => {
    const lifting = subjects.find(({ lifts }) => lifts && isRefusal(failure, lifts))
    if (lifting) return { ...NOBODY, refusal: lifting.lifts! }
    throw failure
  })
  if ('refusal' in person) return person
  const isSystem = person.permissions.includes('tenant:list') && (await mayEnterTheSystem())
  return isSystem ? { ...person, permissions: [...person.permissions, 'system:tenant:list'] } : person
}

/** There is one system administrator, and no permission says who. */
async function mayEnterTheSystem(): Promise<boolean> {
  try {
    await api.listTenants({ pageSize: 1 })
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
