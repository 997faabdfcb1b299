import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import pg from 'pg'
import pino from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { withClient } from '../../src/data/connections/with-client.ts'
import { waitForDatabase } from '../../src/data/setup/wait-for-database.ts'
import { openConnection } from '../../src/data/wire/connection.ts'
import { openDatabase } from '../../src/data/wire/database.ts'
import { Unavailable } from '../../src/data/wire/unavailable.ts'
import { type Load, openLoad } from '../support/load.ts'
import { expectNothingLost } from '../support/nothing-lost.ts'
import { givesDatabase, inTime, until } from '../support/patience.ts'
import { startOwnPostgres } from '../support/postgres.ts'

/** DATABASE_FAULTS=20 restarts the database so often each way, and cuts as many times ten connections. */
const ROUNDS = Number(process.env.DATABASE_FAULTS ?? 1)
const CLIENTS = 16
/** A line without an answer is cut at most this long after its time, and a machine with two cores may add as much again. */
const CUT_AFTER_MS = 700

const postgres = await startOwnPostgres({ durable: true })

describe('a service under load', () => {
  let load: Load
  beforeAll(async () => {
    const databaseUrl = await postgres.createDatabase()
    load = await openLoad({ clients: CLIENTS, reads: 0.6, restMs: 5 }, { databaseUrl, env: givesDatabase(1500) })
  })

  test.each(['fast', 'immediate'] as const)('serves again after its database was restarted (%s)', async (how) => {
    for (let round = 0; round < ROUNDS; round++) {
      await postgres.restart(how)
      expect(await load.workload.served(CLIENTS)).toBeLessThan(inTime(3000))
    }
  })

  test('serves on while connections are cut at random', async () => {
    for (let cut = 0; cut < 10 * ROUNDS; ) {
      cut += await load.look.count(`
        with chosen as (
          select pid from pg_stat_activity where application_name = 'atrium' order by random() limit 1)
        select count(*) filter (where pg_terminate_backend(pid)) from chosen`)
      await load.workload.served(CLIENTS)
    }
  })

  test('has had 503s at worst, and lost, doubled and mixed up nothing by all that', async () => {
    const { look, service, workload } = load
    await expectNothingLost('a database that fails', look, workload)
    expect(workload.history.filter(({ outcome }) => outcome === 'unsent')).toEqual([])
    expect(service.isAlive(), service.output()).toBe(true)
  })
})

describe('a database connection that is lost before it carries anything', () => {
  test('is away, and no accident', async () => {
    const client = new pg.Client(await postgres.createDatabase())
    client.on('error', () => {})
    await client.connect()
    const { stream } = (client as unknown as { connection: { stream: Socket } }).connection
    const gone = new Promise((resolve) => client.once('end', resolve))
    stream.destroy()
    await gone

    const line = openConnection(client, { shared: false })

    await expect(line.send([{ prepared: { name: 'one', text: 'select 1' }, values: [] }])).rejects.toThrow(Unavailable)
  })
})

describe('a server that lets in whoever comes, and then says nothing, like a pooler whose database is away', () => {
  const LETS_IN = Buffer.from([...Buffer.from('R'), 0, 0, 0, 8, 0, 0, 0, 0, ...Buffer.from('Z'), 0, 0, 0, 5, 0x49])
  const sockets: Socket[] = []
  const server = createServer((socket) => {
    sockets.push(socket.on('error', () => {}))
    socket.once('data', () => socket.write(LETS_IN))
  })
  let url: string
  beforeAll(async () => {
    await once(server.listen(0, '127.0.0.1'), 'listening')
    url = `postgres://nobody@127.0.0.1:${(server.address() as AddressInfo).port}/nothing`
  })
  afterAll(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const log = pino({ level: 'silent' })

  test('is away for a transaction that needs a connection', async () => {
    const database = await openDatabase({
      ...{ url, role: '', readConnections: 1, writeConnections: 1, transactionConnections: 1 },
      ...{ flightTimeout: 1000, optional: true, onCluster: false, log },
    })
    await expect(database.acquire(1)).rejects.toThrow(Unavailable)
    await database.close()
  })

  test('keeps nobody who looks at it, at the start or at a replica', async () => {
    const look = withClient(url, 'atrium-proof', (client) => client.query('select 1'), 500)
    await expect(look).rejects.toThrow(/Query read timeout|timeout expired/)
  })

  test('is waited for at the start, and named', async () => {
    await expect(waitForDatabase(url, log, 1)).rejects.toThrow(
      /was not available within .*(Query read timeout|timeout expired)/,
    )
  })
})

describe('a process that stood still for longer than a flight may take', () => {
  test('reads what the database has answered meanwhile, and then goes on giving flights up', async () => {
    const url = await postgres.createDatabase()
    const timeout = 1000
    const database = await openDatabase({
      ...{ url, role: '', readConnections: 1, writeConnections: 1, transactionConnections: 1 },
      ...{ flightTimeout: timeout, log: pino({ level: 'silent' }) },
    })
    const ask = (text: string) => database.send(0, [{ prepared: { name: text, text }, values: [] }])
    // A read has half of that, and the second one below has to hang.
    await until(() => ask('set statement_timeout = 0'))

    const answer = ask('select pg_sleep(0.05)')
    // In the phase that timers, not answers, come next to.
    await new Promise((resolve) => setTimeout(resolve, 10))
    await new Promise((resolve) => setImmediate(resolve))
    const start = performance.now()
    while (performance.now() < start + 2 * timeout || !isAnswered(url));
    await expect(answer).resolves.toHaveLength(1)

    const hanging = performance.now()
    await expect(ask('select pg_sleep(3600)')).rejects.toThrow(Unavailable)
    expect(performance.now() - hanging).toBeLessThan(inTime(timeout + CUT_AFTER_MS))
    await database.close()
  })

  /** Something has come on a connection to this server that nobody has read yet. Linux says so. */
  function isAnswered(url: string): boolean {
    const server = `:${Number(new URL(url).port).toString(16).toUpperCase().padStart(4, '0')}`
    const connections = readFileSync('/proc/net/tcp', 'latin1').split('\n')
    return connections.some((line) => {
      const [, , remote, , queues] = line.trim().split(/\s+/)
      return remote?.endsWith(server) && !queues!.endsWith(':00000000')
    })
  }
})
