import pino from 'pino'
import { afterEach, describe, expect, test } from 'vitest'
import { openReplica } from '../../src/data/setup/replica.ts'
import { serviceRoleOf } from '../../src/data/setup/service-role.ts'
import { run } from '../../src/data/tx/scope.ts'
import type { Database } from '../../src/data/wire/database.ts'
import type { Call, Traits } from '../../src/data/wire/flight.ts'
import { openInspector } from '../support/database.ts'
import { inTime, until } from '../support/patience.ts'
import { type ServiceProcess, startProcess } from '../support/service.ts'
import { startStandby } from '../support/standby.ts'
import { signIn } from '../support/workload.ts'

const services: ServiceProcess[] = []
const standby = await startStandby()
const service = await start()
const admin = (await signIn(service.remote)).client
const primary = await openInspector(standby.primaryUrl)
const replica = await openInspector(standby.replicaUrl)
const article = (await admin.post('/content/articles', { title: 'x', content: ['x'], status: 'published' })).expect(201)
afterEach(() => standby.goOn().catch(() => {}))

async function start(): Promise<ServiceProcess> {
  const { primaryUrl: databaseUrl, replicaUrl } = standby
  const service = await startProcess({ databaseUrl, env: { DATABASE_REPLICA_URL: replicaUrl } })
  services.push(service)
  return service
}

/** A page of the blog that is on no shelf. @returns its titles */
const search = async (keyword: string, { remote } = services[0]!): Promise<string[]> =>
  (await remote.as().get(`/public/blog?keyword=${keyword}`)).expect(200).items.map(({ title }: any) => title)

let names = 0
/** Changes the title by hand, of which no process knows, so that it tells which server has answered. */
async function nameArticle(): Promise<string> {
  const title = `needle ${++names}`
  await primary.rows(`begin; set local session_replication_role = replica;
    update articles set title = '${title}', version = version + 1 where id = ${article.id}; commit`)
  return title
}

/** The replica shows this title from now on, and the primary another. */
async function parted(): Promise<{ here: string; there: string }> {
  await standby.goOn()
  const there = await nameArticle()
  await until(async () => (await replica.rows('select title from articles')).some(({ title }) => title === there))
  await standby.pause()
  return { here: await nameArticle(), there }
}

const untilReplicaAnswers = (service?: ServiceProcess) =>
  until(async () => {
    const { there } = await parted()
    return (await search('needle', service)).includes(there)
  })

describe('what the public reads', () => {
  test('is read from the replica, and nothing else is', async () => {
    const { here, there } = await parted()

    for (let time = 0; time < 5; time++) await until(async () => (await search('needle')).includes(there))
    const listed = (await admin.get('/content/articles?keyword=needle')).expect(200).items
    expect(listed).toMatchObject([{ title: here }])
  })

  test('is never older than what was published through this process, however far the replica lags', async () => {
    const read = async () => (await services[0]!.remote.as().get(`/public/blog/${article.id}`)).expect(200).title
    await standby.pause()

    for (let change = 1; change <= 5; change++) {
      const title = `needle of change ${change}`
      ;(await admin.put(`/content/articles/${article.id}`, { title })).expect(200)
      for (let time = 0; time < 3; time++) expect(await read()).toBe(title)
      expect(await search('needle')).toEqual([title])
    }

    await untilReplicaAnswers()
  })

  test('is read from the primary while the replica is away, also by a process that starts meanwhile; both take it up again', async () => {
    await standby.stopReplica()
    const begun = performance.now()
    const title = await nameArticle()

    for (let time = 0; time < 5; time++) expect(await search('needle')).toEqual([title])
    expect(performance.now() - begun).toBeLessThan(inTime(1000))
    expect((await services[0]!.remote.probe('/readyz')).status).toBe(200)
    const other = await start()
    expect(await search('needle', other)).toEqual([title])

    await standby.startReplica()
    for (const service of services) await untilReplicaAnswers(service)
  })
})

describe('a visitor who searches too much', () => {
  test('is refused, and takes the replica from nobody', async () => {
    const database = decodeURIComponent(new URL(standby.replicaUrl).pathname.slice(1))
    const replica = await openReplica({
      ...{ url: standby.replicaUrl, role: serviceRoleOf(database), readConnections: 1 },
      log: pino({ level: 'silent' }),
    })
    const place = (name: string, text: string, traits?: Traits): Call => ({
      prepared: { name, text, ...traits },
      values: [],
    })
    const primary = {
      entering: () => place('enter', `select set_config('timezone', 'UTC', true)`),
      send: async () => [{}, { rows: [{ from: 'primary' }] }],
      search: async () => [{}, { rows: [{ from: 'primary' }] }],
    } as unknown as Database
    const ask = async (visitor: string, call: Call) => {
      const { rows } = await run(replica.scope(primary, { id: 1, contentVersion: 0 }, visitor), call)
      return rows[0]!.from
    }
    const read = () => ask('other', place('read', `select 'replica' as from`))
    // One is read, eight wait, one is too many; those that wait too long are read from the primary.
    const search = place('search', `select 'replica' as from, pg_sleep(2.5)`, { costly: true })
    await until(async () => {
      await until(async () => (await read()) === 'replica')
      const searches = Array.from({ length: 10 }, () => ask('visitor', search))
      try {
        await expect(Promise.race(searches)).rejects.toMatchObject({ type: 'RATE_LIMITED' })
        expect(await read()).toBe('replica')
        expect(await Promise.any(searches.slice(4))).toBe('primary')
        expect(await read()).toBe('replica')
      } finally {
        await Promise.allSettled(searches)
      }
    })
    await replica.close()
  })
})
