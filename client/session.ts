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
 * Another tab may have been faster; then its session is taken, not a second one asked for.
 */
export function refresher(store: SessionStore, refresh: (refreshToken: string) => Promise<TokenPair>) {
  let underWay: Promise<Session | undefined> | undefined

  async function exchange(stale: string): Promise<Session | undefined> {
    const session = store.load()
    if (!session || session.accessToken !== stale) return session
    const { accessToken, refreshToken } = await refresh(session.refreshToken)
    const next = { accessToken, refreshToken }
    store.save(next)
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
