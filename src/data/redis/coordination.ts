import { setTimeout as sleep } from 'node:timers/promises'
import type { Log } from '../../kernel/log.ts'
import type { Tx } from '../tx/scope.ts'
import type { Channel } from './channel.ts'
import { connectRedis } from './connection.ts'
import { type SharedQuotas, sharedQuotas } from './rate-limit.ts'

/** The fast gate in front of the claims: asked before the database, believed when it says no, ignored when it is away. */
export interface Gatekeeper {
  /** False when the key is taken. The gate is closed for good by the commit, and opened again by a definite failure. */
  enter(tx: Tx<any>, name: string): Promise<boolean>
}

/** What replicas tell each other, by whatever carries it. */
export interface Coordination {
  /** what it is called where operators look, if it is a dependency that can be away */
  readonly dependency?: 'redis'
  /** undefined where nothing would be faster than to ask the database */
  gatekeeper: Gatekeeper | undefined
  /** Opens a channel, on a connection of its own. */
  openChannel(name: string, receive: (text: string) => void): Channel
  quotas: SharedQuotas
  up(): boolean
  close(): Promise<void>
}

/** A running command closes the gate for as long as it may run; a process that is killed leaves it closed no longer. */
const RUNNING_MS = 30_000
const DONE_MS = 24 * 3600_000
/** How long the path to a Redis that failed stays closed. */
const PAUSE_MS = 1000

/**
 * Connects to Redis without ever waiting for it. ioredis' defaults would queue commands for 40 s when it is gone; with
 * these a command fails within milliseconds, and the caller goes on without.
 */
export function openCoordination(url: string, log: Log): Coordination {
  const redis = connectRedis(url)
  let complained = false
  redis.on('error', (error) => {
    if (!complained) log.warn({ err: error.message }, 'Redis is away; going on without it')
    complained = true
  })
  redis.on('ready', () => {
    if (complained) log.info({}, 'Redis is back')
    complained = false
  })

  /**
   * One slow answer closes the path for a moment, so that a Redis that hangs costs one time-out and not one for each
   * request. Then one command goes ahead alone, and the path opens for the others when it has its answer.
   */
  let closedUntil = 0
  let doubtful = false
  const isOpen = () => redis.status === 'ready' && performance.now() >= closedUntil
  async function attempt<T>(command: () => Promise<T>): Promise<T | undefined> {
    if (!isOpen()) return undefined
    if (doubtful) closedUntil = performance.now() + PAUSE_MS
    try {
      const answer = await command()
      doubtful = false
      closedUntil = 0
      return answer
    } catch {
      doubtful = true
      closedUntil = performance.now() + PAUSE_MS
      return undefined
    }
  }

  /** Opens a gate as soon as Redis hears of it, unless it has opened by itself before. */
  async function openLater(key: string) {
    const end = performance.now() + RUNNING_MS
    do await sleep(PAUSE_MS / 4, undefined, { ref: false })
    while (performance.now() < end && redis.status !== 'end' && (await attempt(() => redis.del(key))) === undefined)
  }

  return {
    dependency: 'redis',
    gatekeeper: {
      async enter(tx, name) {
        const key = `atrium:claim:${name}`
        if (!isOpen()) return true
        const answer = await attempt(() => redis.set(key, 'running', 'PX', RUNNING_MS, 'NX'))
        if (answer === null) return false
        // Settled without an answer too: Redis may have closed the gate, or may do so when it comes to read of it.
        tx.onEnd('settle the idempotency gate', async (outcome) => {
          if (outcome === 'committed') await attempt(() => redis.set(key, 'done', 'PX', DONE_MS))
          if (outcome === 'rolled back' && (await attempt(() => redis.del(key))) === undefined) void openLater(key)
        })
        return true
      },
    },
    openChannel: (name, receive) => ({
      ...listenTo(url, name, receive),
      send: (text) => void attempt(() => redis.publish(name, text)),
    }),
    quotas: sharedQuotas(redis, attempt),
    up: isOpen,
    async close() {
      redis.disconnect()
    },
  }
}

const PING_MS = 2000

/** Milliseconds that Redis takes for an answer, connected anew. Rejects when there is none within two seconds. */
export async function pingRedis(url: string): Promise<number> {
  const redis = connectRedis(url, { lazyConnect: true, commandTimeout: PING_MS })
  let reason: Error | undefined
  redis.on('error', (error) => (reason ??= error))
  async function ping() {
    await redis.connect()
    const start = performance.now()
    await redis.ping()
    return performance.now() - start
  }
  const tooLate = sleep(PING_MS, undefined, { ref: false }).then(() => Promise.reject(new Error('no answer')))
  try {
    return await Promise.race([ping(), tooLate])
  } catch (error) {
    throw reason ?? error
  } finally {
    redis.disconnect()
  }
}

/** How often a channel is asked whether it is still there: a Redis that hangs does not hang up. */
const LISTENING_CHECK_MS = 1000

/** Subscribes on a connection of its own, which reconnects by itself. */
function listenTo(url: string, name: string, receive: (text: string) => void): Omit<Channel, 'send'> {
  const subscriber = connectRedis(url, { autoResubscribe: false })
  let isOpen = false
  let isAsking = false
  const markClosed = () => {
    isOpen = false
  }
  // The connection for commands has complained already.
  subscriber.on('error', markClosed)
  subscriber.on('close', markClosed)
  subscriber.on('message', (_name, text) => receive(text))
  subscriber.on('ready', () => {
    subscriber.subscribe(name).then(
      () => {
        isOpen = true
      },
      () => subscriber.disconnect(true),
    )
  })
  const check = setInterval(() => {
    if (subscriber.status !== 'ready' || isAsking) return
    isAsking = true
    subscriber
      .ping()
      .then(
        () => true,
        () => false,
      )
      .then((answered) => {
        isAsking = false
        // A connection that has not answered is not trusted again: messages sent meanwhile may be lost.
        if (!answered) subscriber.disconnect(true)
      })
  }, LISTENING_CHECK_MS)
  check.unref()
  return {
    isOpen: () => isOpen,
    close() {
      clearInterval(check)
      subscriber.disconnect()
    },
  }
}
