import type { Config, FastifyInstance, FastifyRequest } from '#atrium'
import type { Session } from './auth.actions.ts'

/** What a client gets of a session that was opened or continued. */
export function tokenPairOf(app: Pick<FastifyInstance, 'tokens'>, config: Config, session: Session) {
  return {
    accessToken: app.tokens.sign(session),
    refreshToken: session.refreshToken,
    expiresIn: config.accessTokenTtl,
    tokenType: 'Bearer' as const,
  }
}

/** From where a session is opened, as its person will see it. */
export function placeOf({ ip, headers }: FastifyRequest) {
  return { ip, userAgent: headers['user-agent']?.slice(0, 256) ?? null }
}
