import type { ChildProcess } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import { describe, expect, test, vi } from 'vitest'
import { endsWithFile } from '#test/clean-up.ts'
import { newFolder } from '#test/folder.ts'
import { type Instance, openInstance } from '#test/instance.ts'
import { PATIENCE_MS, until } from '#test/patience.ts'
import { end, launch, onFreePort } from '#test/programs.ts'
import { redisIsHere } from '#test/redis.ts'
import { openWorld, type World } from '#test/world.ts'
import { openRedis } from '../../coordination.ts'

const NODE_TIMEOUT_MS = 1500

const here = redisIsHere()

describe.skipIf(!here)('a cluster of three', () => {
  test('keeps keys and limits for all replicas, and costs nobody an answer when a node is lost', async () => {
    const nodes = await startCluster()
    const url = `redis+cluster://${nodes.map(({ at }) => at).join(',')}`
    const { world, one, other } = await twoReplicas(url)
    await everybodyHears(url)

    await until(async () => {
      await everyKeyIsTakenOnce(world, one, other, 4)
      const kept = await Promise.all(nodes.map(({ port }) => ask(port, (redis) => redis.dbsize())))
      return Math.min(...kept) > 0
    })

    nodes[0]!.child.kill('SIGKILL')
    await everyKeyIsTakenOnce(world, one, other, 12)
  })
})

describe.skipIf(!here)('a master with a replica, watched by a sentinel', () => {
  test('is followed to its successor when it dies, and nothing is printed of a sentinel that is away', async () => {
    const printed = vi.spyOn(console, 'error')
    const { master, replica, sentinel } = await startSentinel()
    const url = `redis+sentinel://${sentinel.at},127.0.0.1:1/mymaster`
    const { world, one, other } = await twoReplicas(url)
    await everybodyHears(url)
    await everyKeyIsTakenOnce(world, one, other, 4)

    master.child.kill('SIGKILL')
    await everyKeyIsTakenOnce(world, one, other, 8)

    await until(async () => (await ask(replica.port, (redis) => redis.info('replication'))).includes('role:master'))
    const kept = await ask(replica.port, (redis) => redis.dbsize())
    await until(async () => {
      await everyKeyIsTakenOnce(world, one, other, 1)
      return (await ask(replica.port, (redis) => redis.dbsize())) > kept
    })
    expect(printed.mock.calls).toEqual([])
  })
})

async function twoReplicas(redisUrl: string) {
  const world = await openWorld()
  const open = () => openInstance(world.databaseUrl, { redisUrl })
  return { world, one: await open(), other: await open() }
}

let keys = 0
/** Each key makes a project at one replica, and is refused at the other. */
async function everyKeyIsTakenOnce(world: World, one: Instance, other: Instance, count: number) {
  for (let time = 0; time < count; time++) {
    const key = `set-${++keys}`
    const create = (instance: Instance) =>
      instance.as(world.admin).post('/projects', { name: key, code: key }, { 'idempotency-key': key })
    ;(await create(one)).expect(201)
    ;(await create(other)).expect(409, 'IDEMPOTENCY_KEY_REUSED')
  }
}

/** What one replica says in a channel is heard by another, and by itself. */
async function everybodyHears(url: string) {
  const heard: string[] = []
  const log = { info() {}, warn() {}, error() {} }
  const channels = ['one', 'other'].map((name) => {
    const coordination = openRedis(url, log)
    const channel = coordination.openChannel('room', (text) => heard.push(`${name}: ${text}`))
    endsWithFile(() => {
      channel.close()
      return coordination.close()
    })
    return { channel, coordination }
  })
  await until(async () => channels.every(({ channel, coordination }) => channel.isOpen() && coordination.up()))

  // Nothing is kept for who listens too late: nodes of a cluster need a moment to hear who listens at the others.
  let said = 0
  await until(() => {
    channels[0]!.channel.send(`hello ${++said}`)
    return ['one', 'other'].every((name) => heard.some((text) => text.startsWith(`${name}: hello `)))
  }, 200)
  expect(new Set(heard).size, 'each hears a message once').toBe(heard.length)
}

interface Node {
  port: number
  at: string
  child: ChildProcess
}

/** A node of a cluster also listens 10 000 above its port. */
const startNode = (flags: string[], sentinel?: string) => onFreePort((port) => startNodeOn(port, flags, sentinel))

async function startNodeOn(port: number, flags: string[], sentinel?: string): Promise<Node> {
  const dir = newFolder()
  if (sentinel) writeFileSync(join(dir, 'sentinel.conf'), `port ${port}\nbind 127.0.0.1\ndir ${dir}\n${sentinel}\n`)
  const args = sentinel
    ? [join(dir, 'sentinel.conf'), '--sentinel']
    : ['--port', `${port}`, '--bind', '127.0.0.1', '--save', '', '--dir', dir, ...flags]
  const { child } = await launch('redis-server', args, () => ask(port, (redis) => redis.ping()))
  endsWithFile(() => end(child, 'SIGKILL'))
  return { port, at: `127.0.0.1:${port}`, child }
}

async function startCluster(): Promise<Node[]> {
  const flags = ['--cluster-enabled', 'yes', '--cluster-node-timeout', `${NODE_TIMEOUT_MS}`]
  // What the other nodes serve goes on being served when one is lost.
  const nodes = await Promise.all([1, 2, 3].map(() => startNode([...flags, '--cluster-require-full-coverage', 'no'])))
  const share = Math.ceil(16_384 / nodes.length)
  for (const [at, { port }] of nodes.entries())
    await ask(port, async (redis) => {
      await redis.call('CLUSTER', 'ADDSLOTSRANGE', at * share, Math.min(16_383, (at + 1) * share - 1))
      await redis.call('CLUSTER', 'SET-CONFIG-EPOCH', at + 1)
      if (at > 0) await redis.call('CLUSTER', 'MEET', '127.0.0.1', nodes[0]!.port)
    })
  for (const { port } of nodes)
    await until(async () => {
      const info = String(await ask(port, (redis) => redis.call('CLUSTER', 'INFO')))
      return /cluster_state:ok/.test(info) && /cluster_known_nodes:3/.test(info)
    })
  return nodes
}

/** One decides alone; how several vote is not ours to test. */
async function startSentinel() {
  // A replica that never had its master's data is not promoted, and Redis waits 5 s for others before it sends them.
  const master = await startNode(['--repl-diskless-sync-delay', '0'])
  const replica = await startNode(['--replicaof', '127.0.0.1', `${master.port}`])
  await until(async () =>
    (await ask(replica.port, (redis) => redis.info('replication'))).includes('master_link_status:up'),
  )
  const watch = `sentinel monitor mymaster 127.0.0.1 ${master.port} 1
sentinel down-after-milliseconds mymaster ${NODE_TIMEOUT_MS}
sentinel failover-timeout mymaster ${PATIENCE_MS}`
  const sentinel = await startNode([], watch)
  // One that a busy machine keeps from its clock would trust nothing for half a minute.
  await ask(sentinel.port, (redis) => redis.call('SENTINEL', 'DEBUG', 'TILT-TRIGGER', `${PATIENCE_MS}`))
  await until(async () => {
    const told = String(await ask(sentinel.port, (redis) => redis.call('SENTINEL', 'MASTER', 'mymaster')))
    return told.includes('num-slaves,1,')
  })
  return { master, replica, sentinel }
}

async function ask<T>(port: number, question: (redis: Redis) => Promise<T>): Promise<T> {
  const redis = new Redis({ port, host: '127.0.0.1', lazyConnect: true, retryStrategy: () => null })
  redis.on('error', () => {})
  try {
    await redis.connect()
    return await question(redis)
  } finally {
    redis.disconnect()
  }
}
