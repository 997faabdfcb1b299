import { type Config, type FastifyInstance, type FastifyRequest, networkOf } from '#atrium'
import type { Session } from './auth.actions.ts'
import type { Place } from './auth.store.ts'

/** What a client gets of a session that was opened or continued. */
export function tokenPairOf(app: Pick<FastifyInstance, 'tokens'>, config: Config, session: Session) {
  return {
    accessToken: app.tokens.sign(session),
    refreshToken: session.refreshToken,
    expiresIn: config.accessTokenTtl,
    tokenType: 'Bearer' as const,
  }
}

/** From where a session is opened. */
export function placeOf({ ip, headers }: FastifyRequest): Place {
  return { ip, network: networkOf(ip), userAgent: headers['user-agent']?.slice(0, 256) ?? null }
}
