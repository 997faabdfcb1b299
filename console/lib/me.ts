import { AtriumError } from '../../client/index.ts'
import { api, session } from './api.ts'
import { store } from './store.ts'

/** A permission of the service, or `system:tenant:list`, what the routes for the system administrator demand. */
export interface Person {
  id: number
  username: string
  nickname: string | null
  roles: readonly string[]
  permissions: readonly string[]
}

/** Who is signed in: undefined until it is known, null if nobody is. */
export const me = store<Person | null | undefined>(undefined)

/** Asks who is signed in. What fails because the service is away leaves it open. */
export async function recognize(): Promise<void> {
  if (!session.load()) return me.set(null)
  try {
    me.set(await whoAmI())
  } catch {
    if (!session.load()) me.set(null)
  }
}

async function whoAmI(): Promise<Person> {
  const person = await api.getMe()
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
  me.set(await whoAmI())
}

export async function signOut(): Promise<void> {
  await api.signOut().catch(() => session.save(undefined))
  me.set(null)
}

/** Whether the person holds a permission. The service decides; this is for what is offered. */
export const may = (permission: string): boolean => me.get()?.permissions.includes(permission) ?? false
