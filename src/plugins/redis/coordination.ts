import { setTimeout as sleep } from 'node:timers/promises'
import type { Channel, Coordination, Log } from '#atrium'
import { connectRedis } from './connection.ts'
import { sharedQuotas } from './rate-limit.ts'

/** A running command closes the gate for as long as it may run; a killed process keeps it closed no longer. */
const RUNNING_MS = 30_000
const DONE_MS = 24 * 3600_000
/** How long a failed Redis is not used. */
const PAUSE_MS = 1000

/**
 * Connects to Redis without ever waiting for it. ioredis' defaults would queue commands for 40 s if it is gone; with
 * these a command fails within milliseconds, and the caller continues without it.
 */
export function openRedis(url: string, log: Log): Coordination {
  const redis = connectRedis(url)
  let complained = false
  redis.on('error', (error) => {
    if (!complained) log.warn({ err: error.message }, 'Redis is away; continuing without it')
    complained = true
  })
  redis.on('ready', () => {
    if (complained) log.info({}, 'Redis is back')
    complained = false
  })

  /**
   * One slow answer closes the path for a moment, so that a hanging Redis costs one time-out, not one for each request.
   * Then a single command tries again, and the path opens for the others once it is answered.
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

  /** Opens a gate as soon as Redis can be reached, unless it has expired before. */
  async function openLater(key: string) {
    const end = performance.now() + RUNNING_MS
    do await sleep(PAUSE_MS / 4, undefined, { ref: false })
    while (performance.now() < end && redis.status !== 'end' && (await attempt(() => redis.del(key))) === undefined)
  }

  return {
    dependency: 'redis',
    report: ({ gauge }) => gauge('redis_up', '1 while Redis answers', () => Number(isOpen()), 'min'),
    gatekeeper: {
      async enter(tx, name) {
        const key = `atrium:claim:${name}`
        if (!isOpen()) return true
        const answer = await attempt(() => redis.set(key, 'running', 'PX', RUNNING_MS, 'NX'))
        if (answer === null) return false
        // Settled even without an answer: Redis may have closed the gate, or may still do so when it reads the command.
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

/** How often a channel is checked, because a hanging Redis does not close the connection. */
const LISTENING_CHECK_MS = 1000

/** Subscribes on its own connection, which reconnects by itself. */
function listenTo(url: string, name: string, receive: (text: string) => void): Omit<Channel, 'send'> {
  const subscriber = connectRedis(url, { autoResubscribe: false })
  let isOpen = false
  let isAsking = false
  const markClosed = () => {
    isOpen = false
  }
  // The connection for commands has already logged it.
  subscriber.on('error', markClosed)
  subscriber.on('close', markClosed)
  subscriber.on('message', (_name, text) => receive(text))
  // A connection that has not answered is replaced: messages sent in the meantime may be lost.
  const replace = () => subscriber.disconnect(true)
  subscriber.on('ready', async () => {
    try {
      await subscriber.subscribe(name)
      isOpen = true
    } catch {
      replace()
    }
  })
  const check = setInterval(async () => {
    if (subscriber.status !== 'ready' || isAsking) return
    isAsking = true
    await subscriber.ping().catch(replace)
    isAsking = false
  }, LISTENING_CHECK_MS).unref()
  return {
    isOpen: () => isOpen,
    close() {
      clearInterval(check)
      subscriber.disconnect()
    },
  }
}
