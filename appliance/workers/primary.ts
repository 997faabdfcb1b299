import cluster, { type Worker } from 'node:cluster'
import type { Logger } from 'pino'
import { type Gathered, openOperators } from '../../src/atrium/ports/operators.ts'
import type { Config } from '../../src/config/config.ts'
import { mostConnections } from '../../src/data/setup/inspect.ts'
import type { Readiness } from '../../src/data/setup/readiness.ts'
import { SetupProblem } from '../../src/data/setup/setup-problem.ts'
import { waitForDatabase } from '../../src/data/setup/wait-for-database.ts'
import type { Service } from '../../src/serve.ts'
import { prepareDatabase, type Start } from '../../src/start.ts'
import { openHub } from './hub.ts'
import { probePort } from './probe-port.ts'
import { readinessOf } from './ready.ts'
import { shareOut } from './shares.ts'
import { becomeReady, type Watched, watchForSilence } from './silence.ts'
import { openTalk } from './talk.ts'
import type { Beginning } from './worker.ts'

interface Member extends Watched {
  place: number
  worker: Worker
  bornAt: number
  /** Resolves when it listens; rejects if it ends before. */
  ready: Promise<void>
  ended: Promise<void>
}

/** For the bootstrap only. */
const FEW = { readConnections: 1, writeConnections: 1, transactionConnections: 1, searchConnections: 1 }
/** A worker that ends sooner than this after its start is replaced after a growing pause. */
const SHORT_LIFE_MS = 5000
const LONGEST_PAUSE_MS = 5000
/** For a worker that takes longer, the metrics of its last answer are reported, and it counts as away. */
const PATIENCE_MS = 2000

/**
 * Starts the service as several processes on one port. The primary prepares the database, counts limits for all of them
 * and passes messages between them; it serves nothing itself. A worker that ends is replaced; one of them runs the jobs.
 */
export async function startWorkers(
  config: Config,
  url: string,
  logger: Logger,
  { onServing }: Start = {},
): Promise<Service> {
  const port = await probePort(config)
  await waitForDatabase(url, logger)
  const shares = shareOut(config, config.databasePooled ? undefined : await mostConnections(url))
  const members = new Map<number, Member>()
  const hub = openHub(
    (from, said) => {
      for (const [id, { talk }] of members) if (id !== from) talk.tell('hear', said)
    },
    (worker, stream) => members.get(worker)?.talk.tell('end stream', stream),
  )
  let stopping = false
  let role = ''
  let onCluster = false
  let gathered: Gathered | undefined
  let pause = 0
  let stopWatching = () => {}
  // JSON has no NaN, which some metrics are before there is anything to measure.
  cluster.setupPrimary({ serialization: 'advanced' })
  process.once('exit', () => members.forEach(({ worker }) => void worker.process.kill('SIGKILL')))

  /** Workers load their modules while the database is being prepared. */
  const first = Array.from({ length: shares.workers }, (_, place) => fork(place))
  const { database, firstStart } = await prepareDatabase(config, url, logger, FEW)
  role = database.role
  onCluster = database.onCluster
  await database.close()
  const operators = await openOperators.get()(config)
  gathered = operators?.gather(() => members.size)
  const listener = await operators?.listen({ metrics: () => gathered!.page(answers()), readiness, log: logger })
  const service: Service = { port, firstStart, stop }
  onServing?.(service)
  await Promise.all(first.map(begin)).catch(async (error) => {
    if (!stopping) throw error
    // The stop ends this process.
    await new Promise(() => {})
  })
  stopWatching = watchForSilence(() => members.values(), end)
  return service

  function fork(place: number): Member {
    const worker = cluster.fork()
    const ready = Promise.withResolvers<void>()
    ready.promise.catch(() => {})
    const talk = openTalk((message) => worker.isConnected() && worker.send(message, () => {}), {
      ...hub.answersFor(worker.id),
      ready() {
        becomeReady(member)
        ready.resolve()
      },
    })
    worker.on('message', talk.receive)
    worker.on('error', () => {})
    const ended = new Promise<void>((resolve) =>
      worker.once('exit', (code, signal) => {
        ready.reject(new SetupProblem('A worker could not start; see its message above'))
        resolve()
        leave(member, code, signal)
      }),
    )
    const member: Member = {
      ...{ place, worker, talk, bornAt: performance.now(), ready: ready.promise, ended },
      ...{ heardAt: undefined, isReady: false },
    }
    members.set(worker.id, member)
    return member
  }

  function begin(member: Member): Promise<void> {
    const { place, talk, ready } = member
    const { connections } = shares
    member.heardAt = performance.now()
    talk.tell('begin', { databaseUrl: url, role, onCluster, connections, port, jobs: place === 0 } satisfies Beginning)
    return ready
  }

  function end({ worker }: Member) {
    logger.error({ pid: worker.process.pid }, 'a worker no longer answers; it is killed')
    worker.process.kill('SIGKILL')
  }

  function leave(member: Member, code: number, signal: string) {
    const { place, worker, bornAt, isReady } = member
    members.delete(worker.id)
    gathered?.retire(worker.id)
    hub.forget(worker.id)
    // The start fails then.
    const isOfStart = !isReady && first.includes(member)
    if (stopping || isOfStart) return
    logger.error({ pid: worker.process.pid, code, signal }, 'a worker has ended; another replaces it')
    pause = performance.now() - bornAt > SHORT_LIFE_MS ? 0 : Math.min(2 * pause || 100, LONGEST_PAUSE_MS)
    setTimeout(() => {
      if (!stopping) begin(fork(place)).catch(() => {})
    }, pause)
  }

  function answers() {
    return [...members].map(([id, { talk }]) => [id, talk.ask('metrics', undefined, PATIENCE_MS)] as const)
  }

  async function readiness(): Promise<Readiness> {
    const asked = [...members.values()].map(({ talk }) => talk.ask<Readiness>('readiness', undefined, PATIENCE_MS))
    const missing = Array.from({ length: Math.max(0, shares.workers - asked.length) }, () => undefined)
    return readinessOf([...(await Promise.all(asked)), ...missing], stopping)
  }

  async function stop() {
    stopping = true
    stopWatching()
    for (const { talk } of members.values()) talk.tell('stop', undefined)
    await Promise.all([...members.values()].map(({ ended }) => ended))
    await listener?.close()
  }
}
