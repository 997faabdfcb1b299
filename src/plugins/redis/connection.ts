import type { EventEmitter } from 'node:events'
import { Cluster, Redis, type RedisOptions } from 'ioredis'
import { readRedisUrl } from '#atrium'

export type RedisConnection = Redis | Cluster

/** A lost node costs a command only a try or two elsewhere. */
const SOON_MS = 20

/** ioredis ends for good if a failover is announced while it connects; this connects it again, unless it was closed. */
function neverEnding(redis: Redis): Redis {
  const disconnect = redis.disconnect.bind(redis)
  let isClosed = false
  redis.disconnect = (reconnect = false) => {
    isClosed ||= !reconnect
    disconnect(reconnect)
  }
  redis.on('end', () => {
    if (!isClosed) setTimeout(() => redis.connect().catch(() => {}), SOON_MS).unref()
  })
  return redis
}

/** ioredis prints errors of its connections to Sentinels, as nobody else can listen to them. It asks the others by itself. */
function withQuietSentinels(redis: Redis): Redis {
  interface Connector {
    connectToSentinel(...parts: unknown[]): EventEmitter
  }
  const { connector } = redis as unknown as { connector: Connector }
  const connect = connector.connectToSentinel.bind(connector)
  connector.connectToSentinel = (...parts) => connect(...parts).on('error', () => {})
  return redis
}

/**
 * Connects with the same short time limits for every kind of address: no command waits for a connection, no attempt
 * takes long, and the connection comes back by itself. `more` overrides them.
 */
export function connectRedis(url: string, more: RedisOptions = {}): RedisConnection {
  const address = readRedisUrl(url)
  if (!address) throw new Error('this is not an address of a Redis')
  const { kind, hosts, name, username, password, tls } = address
  const again = (attempt: number) => Math.min(50 * attempt, 1000)
  const options: RedisOptions = {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    commandTimeout: 200,
    connectTimeout: 1000,
    retryStrategy: again,
    ...more,
  }
  if (kind === 'server') return new Redis(url, options)
  const secured = { ...options, ...(username && { username }), ...(password && { password }), ...(tls && { tls: {} }) }
  if (kind === 'sentinel')
    return neverEnding(
      withQuietSentinels(
        new Redis({ ...secured, sentinels: hosts, name, sentinelRetryStrategy: again, failoverDetector: true }),
      ),
    )
  return new Cluster(hosts, {
    lazyConnect: more.lazyConnect ?? false,
    enableOfflineQueue: false,
    clusterRetryStrategy: again,
    maxRedirections: 3,
    retryDelayOnFailover: SOON_MS,
    retryDelayOnClusterDown: SOON_MS,
    retryDelayOnTryAgain: SOON_MS,
    slotsRefreshTimeout: 1000,
    slotsRefreshInterval: 5000,
    // Nodes report their addresses, which with TLS are not always the names in their certificates.
    dnsLookup: (host, callback) => callback(null, host),
    redisOptions: secured,
  })
}
