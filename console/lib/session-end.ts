import { isRefusal, session } from './api.ts'
import { store } from './store.ts'

/** While the session of the person at the page has ended: settled when it is known whether they are back. */
export const sessionEnd = store<PromiseWithResolvers<boolean> | undefined>(undefined)

/** Keeps the page as it is until its person has signed in again, or has gone. */
export function awaitReturn(): void {
  if (!sessionEnd.get()) sessionEnd.set(Promise.withResolvers())
}

/** @param isBack whether the same person goes on */
export function endWait(isBack: boolean): void {
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
