import type { FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import type { TenantId, User } from '../../kernel/actor.ts'
import { faults } from '../../kernel/fault.ts'
import { fewAtOnce } from '../../util/few-at-once.ts'
import { openRoom } from '../../util/shares/room.ts'
import { whileNeeded } from '../../util/while-needed.ts'
import { blockFor } from '../request/gate.ts'
import { type Endless, type Held, holdRequest } from './held-request.ts'

declare module 'fastify' {
  interface FastifyInstance {
    streams: Streams
  }
  interface FastifyRequest {
    /** it is a stream or has waited for something, so its duration says nothing about how fast it was answered */
    hasWaited: boolean
    /** its session or key was found to have ended while it waited; what is remembered of the caller may be older */
    callerHasLeft: boolean
  }
}

export interface Streams {
  /**
   * Counts an answer as a stream from its start. It ends when the request would no longer be allowed: signed out,
   * disabled, expired, tenant closed, another duty first.
   * @throws UNAVAILABLE if this process holds as many as it may of that tenant, or is stopping
   */
  open<Stream extends Endless>(req: FastifyRequest, start: () => Stream): Stream
  /**
   * Counts a request as a stream while it waits: it ends on the same conditions. Release it before the answer.
   * @throws UNAVAILABLE as `open` does
   */
  hold(req: FastifyRequest, reply: FastifyReply): Held
  /** How many are open. */
  count(): number
}

/** Counts the streams of a person in all processes of the machine. */
export interface StreamCount {
  /**
   * A stream was opened here. If that person now has more than `most`, their oldest ends, in whichever process it is.
   */
  opened(person: string, id: number, most: number): void
  closed(person: string, id: number): void
  /** Calls back with the id of a stream of this process that must end. */
  onExcess(end: (id: number) => void): void
}

export interface StreamsOptions {
  /** how many may be open in this process; at most half of these for one tenant, whose people and keys count alike */
  most: number
  /** absent if this process is the only one */
  count?: StreamCount | undefined
  /**
   * how many one person may have open; one more closes the oldest, so that connections whose end was not noticed do not
   * lock anyone out
   */
  perUser: number
  /** Looks up whose session or key has not ended, of these users of a tenant, and who of them may still work. */
  living(tenantId: TenantId, users: readonly User[]): Promise<(user: User) => boolean>
}

interface Open {
  id: number
  stream: Endless
  req: FastifyRequest
  user: User
  openedAt: number
}

/** Shorter than the second within which a stream must end, so that the query fits in. */
const BEAT_MS = 600
const TENANTS_AT_ONCE = 16
/**
 * A client whose stream was replaced by another of the same person waits this long, or the two would replace each other
 * in turn.
 */
const REPLACED_RETRY_MS = 60_000
/** When a process stops, its clients reconnect to others within this time, not all together. */
const STOPPING_RETRY_MS = 3000

/**
 * The open event streams of this process: bounded, checked by one timer for all, closed before the service stops. They
 * cost an idle process nothing: the timer runs only while there are some.
 */
export const streams = fp<StreamsOptions>(
  async (app, { most, count, perUser, living }) => {
    const open = new Set<Open>()
    const room = openRoom(most)
    const ofUser = new Map<string, Open[]>()
    const beats = whileNeeded(BEAT_MS, () => open.size > 0, beat)
    let lastId = 0
    let stopping = false
    let isBlind = false
    count?.onExcess((id) => {
      for (const one of open) if (one.id === id) replace(one)
    })

    app.decorateRequest('hasWaited', false)
    app.decorateRequest('callerHasLeft', false)
    app.decorate('streams', {
      open: begin,
      hold: (req, reply) => begin(req, () => holdRequest(req, reply)),
      count: () => open.size,
    })
    app.addHook('preClose', (done) => {
      stopping = true
      for (const { stream } of open) stream.end('the service stops', STOPPING_RETRY_MS * (0.2 + 0.8 * Math.random()))
      done()
    })

    function begin<Stream extends Endless>(req: FastifyRequest, start: () => Stream): Stream {
      const { user } = req
      if (stopping || room.left(user.tenantId) === 0) throw faults.unavailable()
      req.hasWaited = true
      const stream = start()
      const one = { id: ++lastId, req, user, stream, openedAt: performance.now() }
      enter(one)
      stream.onEnd((reason) => leave(one, reason))
      return stream
    }

    function enter(one: Open) {
      const key = keyOf(one)
      const others = ofUser.get(key) ?? []
      if (others.length >= perUser) replace(others[0]!)
      ofUser.set(key, [...(ofUser.get(key) ?? []), one])
      open.add(one)
      room.take(one.user.tenantId)
      count?.opened(key, one.id, perUser)
      beats.start()
    }

    function replace({ stream }: Open) {
      stream.end('another one was opened', REPLACED_RETRY_MS)
    }

    function leave(one: Open, reason: string) {
      const key = keyOf(one)
      const others = ofUser.get(key)!.filter((other) => other !== one)
      if (others.length) ofUser.set(key, others)
      else ofUser.delete(key)
      open.delete(one)
      room.giveBack(one.user.tenantId)
      count?.closed(key, one.id)
      const seconds = Math.round((performance.now() - one.openedAt) / 100) / 10
      const { req, user } = one
      req.log.info({ requestId: req.id, tenantId: user.tenantId, userId: user.id, reason, seconds }, 'stream ended')
    }

    async function beat() {
      try {
        await endUninvited()
        isBlind = false
      } catch (error) {
        // A database that is away reports nothing new either: the streams stay.
        if (!isBlind) app.log.warn({ err: String(error) }, 'sessions cannot be looked up; the open streams stay')
        isBlind = true
      }
    }

    /** Two or three queries for each tenant, whatever the number of streams; who has a duty is remembered. */
    async function endUninvited() {
      for (const { stream, req } of open) if (req.tokenExpiresAt <= Date.now()) stream.end('the token has expired')
      await fewAtOnce(
        Map.groupBy(open, ({ user }) => user.tenantId),
        TENANTS_AT_ONCE,
        async ([tenantId, here]) => {
          const users = here.map(({ user }) => user)
          const isAlive = await living(tenantId, users)
          for (const { stream, user, req } of here) {
            if (isAlive(user)) continue
            req.callerHasLeft = true
            stream.end('the session has ended')
          }
        },
      )
      await fewAtOnce(
        Map.groupBy(open, ({ req }) => req.tenant!.id),
        TENANTS_AT_ONCE,
        async ([tenantId, here]) => {
          const tenant = await app.tenancies.find(tenantId)
          for (const { stream, user } of here) if (blockFor({ actor: user, tenant })) stream.end('the tenant is closed')
        },
      )
      for (const { stream, req } of open) {
        const duty = (await req.callerNow())?.duty
        if (duty) stream.end(`the person has to do something first: ${duty}`)
      }
    }
  },
  { name: 'streams', dependencies: ['gate'] },
)

function keyOf({ user }: Open): string {
  return `${user.tenantId}:${user.id}`
}
