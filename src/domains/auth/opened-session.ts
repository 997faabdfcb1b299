import {
  type Config,
  type FastifyInstance,
  type FastifyRequest,
  networkOf,
  type TenantId,
  type Tx,
  type Visitor,
  visitor,
} from '#atrium'
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

/** Runs the action of a visitor who turns out to be a person, whom the audit names. */
export function transactAsPerson<T extends { userId: number; username: string }>(
  req: FastifyRequest,
  tenantId: TenantId,
  action: (tx: Tx<Visitor>) => Promise<T>,
): Promise<T> {
  const subject: NonNullable<FastifyRequest['auditSubject']> = { tenantId, userId: null, username: null }
  const run = async (tx: Tx<Visitor>) => {
    const done = await action(tx)
    Object.assign(subject, { userId: done.userId, username: done.username })
    return done
  }
  return req.transactAs(visitor, tenantId, run, subject)
}

/** From where a session is opened. */
export function placeOf({ ip, headers }: FastifyRequest): Place {
  return { ip, network: networkOf(ip), userAgent: headers['user-agent']?.slice(0, 256) ?? null }
}
