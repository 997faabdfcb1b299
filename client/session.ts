import type { TokenPair } from './operations.ts'

/** A session as it is kept between two starts of a page. */
export interface Session {
  accessToken: string
  refreshToken: string
}

/** Where a session is kept: `localStorage` behind two lines, or nowhere but in memory. */
export interface SessionStore {
  load(): Session | undefined
  save(session: Session | undefined): void
}

/** Keeps a session in memory: it ends with the page. */
export function inMemory(): SessionStore {
  let kept: Session | undefined
  return {
    load: () => kept,
    save(session) {
      kept = session
    },
  }
}

/**
 * Exchanges the refresh token when an access token has run out: once, however many requests ran into it together.
 * Another tab may have been faster; then its session is taken, not a second one asked for. If somebody else has signed in
 * there, theirs is not taken: what one person asked for is not done as another.
 */
export function refresher(store: SessionStore, refresh: (refreshToken: string) => Promise<TokenPair>) {
  let underWay: Promise<Session | undefined> | undefined

  async function exchange(stale: string): Promise<Session | undefined> {
    const session = store.load()
    // A key that stands in for a session has no refresh token.
    if (!session?.refreshToken) return undefined
    if (session.accessToken !== stale) return isOfSamePerson(session.accessToken, stale) ? session : undefined
    const { accessToken, refreshToken } = await refresh(session.refreshToken)
    const next = { accessToken, refreshToken }
    // Somebody may have signed in or out meanwhile.
    if (store.load()?.refreshToken === session.refreshToken) store.save(next)
    return next
  }

  /** @param stale the access token that was refused */
  return (stale: string): Promise<Session | undefined> => {
    underWay ??= exchange(stale).finally(() => {
      underWay = undefined
    })
    return underWay
  }
}

function isOfSamePerson(token: string, stale: string): boolean {
  const [now, before] = [personOf(token), personOf(stale)]
  return before === undefined || now === before
}

/** Whom an access token names; undefined where it cannot be read. */
function personOf(token: string): string | undefined {
  try {
    const payload = token.split('.')[1]!.replaceAll('-', '+').replaceAll('_', '/')
    const { sub, tenantId } = JSON.parse(atob(payload))
    return `${tenantId}/${sub}`
  } catch {
    return undefined
  }
}
