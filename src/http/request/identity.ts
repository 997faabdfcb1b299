import jwt from '@fastify/jwt'
import type { FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { LRUCache } from 'lru-cache'
import type { Config } from '../../config/config.ts'
import type { Changes } from '../../data/changes/changes.ts'
import { type Actor, type TenantId, type User, type UserId, visitor } from '../../kernel/actor.ts'
import { looksLikeKey, readKey, type WrittenKey } from '../../kernel/api-key.ts'
import { fail, faults } from '../../kernel/fault.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** who calls, as known at most a second ago */
    actor: Actor
    /** the signed-in person; on a route for anyone it refuses visitors with 401 */
    user: User
    /** when the request's token expires, ms since 1970; 0 if there is none, infinite for a key, whose end its holder knows */
    tokenExpiresAt: number
    /** Looks up again who calls, for a request that has waited. Undefined if the credential is no longer valid. */
    callerNow(): User | undefined | Promise<User | undefined>
  }
  interface FastifyInstance {
    tokens: Tokens
  }
}
declare module '@fastify/jwt' {
  interface FastifyJWT {
    payload: object
    user: User
  }
}

/**
 * The content of an access token. Roles and permissions are not in it: they are looked up, so that a change applies
 * immediately.
 */
export interface Claims {
  userId: UserId
  username: string
  tenantId: TenantId
  sessionId: number
}

export interface Tokens {
  /** Signs an access token for one session. */
  sign(claims: Claims): string
  /** The claims of a valid access token; undefined for anything else. */
  verify(token: string): ValidClaims | undefined
}
/** `expiresAt`: ms since 1970. */
export type ValidClaims = Claims & { expiresAt: number }

/**
 * The user of a session, without a promise if they are cached; undefined if it has ended or they are gone or disabled.
 */
export type FindUser = (claims: Claims) => User | undefined | Promise<User | undefined>

/**
 * The service account of a key, without a promise if it is cached; undefined if the key is unknown, revoked or expired or
 * its account is disabled. @param ip the sender, who may ask for only so many unknown keys
 */
export type FindKeyHolder = (key: WrittenKey, ip: string) => User | undefined | Promise<User | undefined>

type Found = User | undefined | Promise<User | undefined>

/** False for the routes about one's own sessions and password, which a key has not. */
export function readsKeys(url: string | undefined): boolean {
  return !url?.startsWith('/api/v1/auth/')
}

const BEARER = /^Bearer ([A-Za-z0-9._~+/-]{1,4096}=*)$/i

/**
 * Determines the caller from the bearer credential, which is one of two kinds: an access token → claims → the user of the
 * session, or the key of a service account → its holder. On routes for anyone an unusable token is ignored (clients send
 * stale ones); everywhere else the gate refuses a request without a user.
 */
export const identity = fp<{ config: Config; changes: Changes; findUser: FindUser; findKeyHolder: FindKeyHolder }>(
  async (app, { config, changes, findUser, findKeyHolder }) => {
    const [secret, ...former] = config.jwtSecrets
    const known = {
      algorithms: ['HS256' as const],
      allowedIss: config.issuer,
      // A token without an audience is accepted: it was signed before there was any. Another audience is refused.
      allowedAud: config.issuer,
      requiredClaims: ['exp', 'iat', 'iss'],
    }
    await app.register(jwt, {
      secret,
      decoratorName: 'jwtUser',
      sign: { algorithm: 'HS256', iss: config.issuer, aud: config.issuer, expiresIn: `${config.accessTokenTtl}s` },
      verify: known,
    } as never)

    app.decorate('tokens', {
      sign: (claims) =>
        app.jwt.sign({
          sub: String(claims.userId),
          username: claims.username,
          tenantId: claims.tenantId,
          sid: claims.sessionId,
          type: 'access',
          jti: crypto.randomUUID(),
        }),
      verify: rememberTokens(changes, [
        (token) => app.jwt.verify(token),
        ...former.map((key) => (token: string) => app.jwt.verify<Payload>(token, { ...known, key })),
      ]),
    })

    app.decorateRequest('actor', null as never)
    app.decorateRequest('tokenExpiresAt', 0)
    app.decorateRequest('user', {
      getter(this: FastifyRequest) {
        return this.actor.kind === 'user' ? this.actor : fail(faults.unauthenticated())
      },
    } as never)

    app.addHook('onRequest', (req, _reply, done) => {
      req.actor = visitor
      const user = callerOf(req)
      if (!(user instanceof Promise)) {
        if (user) req.actor = user
        return done()
      }
      user.then((found) => {
        if (found) req.actor = found
        done()
      }, done)
    })

    app.decorateRequest('callerNow', function (this: FastifyRequest) {
      return callerOf(this)
    })

    function callerOf(req: FastifyRequest): Found {
      const { authorization } = req.headers
      const credential = authorization && BEARER.exec(authorization)?.[1]
      if (!credential) return undefined
      const find = looksLikeKey(credential) ? holderOf(req, credential) : userOf(req, credential)
      if (!find) return undefined
      const behind = changes.catchUp()
      return behind ? behind.then(find) : find()
    }

    /** How to find the user of a valid token. */
    function userOf(req: FastifyRequest, token: string): (() => Found) | undefined {
      const claims = app.tokens.verify(token)
      if (!claims) return undefined
      req.tokenExpiresAt = claims.expiresAt
      return () => {
        const user = findUser(claims)
        return user instanceof Promise ? user.then((found) => named(found, claims)) : named(user, claims)
      }
    }

    /** How to find the service account of a well-formed key. */
    function holderOf(req: FastifyRequest, text: string): (() => Found) | undefined {
      const key = readsKeys(req.route.url) ? readKey(text) : undefined
      if (!key) return undefined
      req.tokenExpiresAt = Number.POSITIVE_INFINITY
      return () => findKeyHolder(key, req.ip)
    }
  },
  { name: 'identity', dependencies: ['failures'] },
)

/** Users are cached by their session alone; the token must name the same one. */
function named(user: User | undefined, { userId, tenantId }: Claims): User | undefined {
  return user?.id === userId && user.tenantId === tenantId ? user : undefined
}

const MOST_TOKENS = 65_536

/**
 * A verified token stays valid until it expires: it is cached by its whole text, and not verified again. The cache of
 * fast-jwt hashes the token at each lookup, and warns at every start if that is turned off.
 */
function rememberTokens(changes: Changes, keys: readonly ((token: string) => Payload)[]) {
  const verified = new LRUCache<string, { claims: ValidClaims; since: number }>({
    maxSize: MOST_TOKENS,
    sizeCalculation: () => 1,
  })
  const isOver = ({ expiresAt }: ValidClaims) => expiresAt <= Date.now()
  changes.everyMinute(
    () => verified.keys(),
    (token) => {
      const known = verified.peek(token)
      if (known && (isOver(known.claims) || changes.isChanged('session', known.claims.sessionId, known.since)))
        verified.delete(token)
    },
  )
  return (token: string): ValidClaims | undefined => {
    const known = verified.get(token)
    if (known && !isOver(known.claims)) return known.claims
    if (!isCanonical(token)) return undefined
    for (const verify of keys)
      try {
        const claims = readClaims(verify(token))
        if (claims) verified.set(token, { claims, since: changes.now() })
        return claims
      } catch {
        // Another key may have signed it.
      }
    return undefined
  }
}

/** The last character of a signature has bits that say nothing: only the text that a signer writes is a token. */
function isCanonical(token: string): boolean {
  const signature = token.slice(token.lastIndexOf('.') + 1)
  return Buffer.from(signature, 'base64url').toString('base64url') === signature
}

/** By so much the clocks of two replicas may differ: one may not know of a change to summer time. */
const CLOCKS_APART_MS = 65 * 60_000

type Payload = Record<string, unknown>

function readClaims(payload: Payload): ValidClaims | undefined {
  const { sub, username, tenantId, sid, type, exp, iat } = payload
  if ((iat as number) * 1000 > Date.now() + CLOCKS_APART_MS) return undefined
  if (type !== 'access' || typeof sub !== 'string' || !/^[1-9]\d{0,15}$/.test(sub)) return undefined
  if (!Number.isSafeInteger(tenantId) || !Number.isSafeInteger(sid) || typeof username !== 'string') return undefined
  const [userId, sessionId, expiresAt] = [Number(sub), sid as number, (exp as number) * 1000]
  return { userId, username, tenantId: tenantId as number, sessionId, expiresAt }
}
