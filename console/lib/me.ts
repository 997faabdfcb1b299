import type { Me } from '../../client/operations.ts'
import { api, session } from './api.ts'
import { store } from './store.ts'

/** Who is signed in: undefined until it is known, null if nobody is. */
export const me = store<Me | null | undefined>(undefined)

/** Asks who is signed in. What fails because the service is away leaves it open. */
export async function recognize(): Promise<void> {
  if (!session.load()) return me.set(null)
  try {
    me.set(await api.getMe())
  } catch {
    if (!session.load()) me.set(null)
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
  me.set(await api.getMe())
}

export async function signOut(): Promise<void> {
  await api.signOut().catch(() => session.save(undefined))
  me.set(null)
}

/** Whether the person holds a permission. The service decides; this is for what is offered. */
export const may = (permission: string): boolean => me.get()?.permissions.includes(permission as never) ?? false
