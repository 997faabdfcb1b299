import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type Inspector, openInspector } from '../support/database.ts'
import { inTime } from '../support/patience.ts'
import type { RemoteClient } from '../support/remote.ts'
import { type ServiceProcess, startProcess } from '../support/service.ts'
import { type Standby, startStandby } from '../support/standby.ts'

/** What a busy machine may add. */
const MARGIN_MS = 1000

let standby: Standby
let service: ServiceProcess
let admin: RemoteClient
let primary: Inspector
let replica: Inspector
beforeAll(async () => {
  standby = await startStandby()
  const { primaryUrl: databaseUrl, replicaUrl } = standby
  service = await startProcess({ databaseUrl, env: { DATABASE_REPLICA_URL: replicaUrl } })
  const credentials = { username: 'admin', password: 'admin123' }
  const { accessToken } = (await service.remote.as().post('/auth/login', credentials)).expect(200)
  admin = service.remote.as(accessToken)
  primary = await openInspector(databaseUrl)
  replica = await openInspector(replicaUrl)
})
afterEach(async () => {
  await standby.goOn().catch(() => {})
})
afterAll(async () => {
  await service?.end('SIGTERM')
  await Promise.all([primary?.close(), replica?.close()])
  await standby?.stop()
})

let searches = 0
/** A page of the blog that is on no shelf. */
const search = () => service.remote.as().get(`/public/blog?keyword=k${++searches}`)

describe('what the public reads', () => {
  test('is read from the replica, and nothing else is', async () => {
    await untilAnsweredBy(replica)
    const before = await readings()

    for (let time = 0; time < 20; time++) (await search()).expect(200)
    for (let time = 0; time < 5; time++) (await admin.get(`/content/articles?keyword=k${++searches}`)).expect(200)

    await until(async () => {
      ;(await search()).expect(200)
      return (await readings()).articles.replica >= before.articles.replica + 20
    })
    const after = await readings()
    expect(after.articles.primary - before.articles.primary).toBeLessThan(20)
    expect(after.sessions.replica).toBe(before.sessions.replica)
  })

  test('is never older than what was published through this process, however far the replica lags', async () => {
    const article = { title: 'before', content: ['x'], status: 'published' }
    const { id } = (await admin.post('/content/articles', article)).expect(201)
    const read = async () => (await service.remote.as().get(`/public/blog/${id}`)).expect(200).title
    await standby.pause()

    for (let change = 1; change <= 5; change++) {
      const title = `change ${change}`
      ;(await admin.put(`/content/articles/${id}`, { title })).expect(200)
      for (let time = 0; time < 3; time++) expect(await read()).toBe(title)
      expect((await search()).expect(200).items).toEqual([])
    }

    await standby.goOn()
    await untilAnsweredBy(replica)
    expect(await read()).toBe('change 5')
  })

  test('is read from the primary while the replica is away, and immediately', async () => {
    await standby.stopReplica()
    const waits: number[] = []

    for (let time = 0; time < 20; time++) {
      const start = performance.now()
      ;(await search()).expect(200)
      waits.push(performance.now() - start)
    }

    expect(Math.max(...waits)).toBeLessThan(inTime(MARGIN_MS))
    expect((await service.remote.probe('/readyz')).status).toBe(200)
    await standby.startReplica()
    await untilAnsweredBy(replica)
  })
})

test('a service starts while its replica is away, and takes it up when it comes', { timeout: 60_000 }, async () => {
  await standby.stopReplica()
  const { primaryUrl: databaseUrl, replicaUrl } = standby
  const other = await startProcess({ databaseUrl, env: { DATABASE_REPLICA_URL: replicaUrl } })
  ;(await other.remote.as().get('/public/blog?keyword=alone')).expect(200)

  await standby.startReplica()

  const ours = async () => (await readings()).articles.replica
  const before = await ours()
  await until(async () => {
    ;(await other.remote.as().get(`/public/blog?keyword=with${++searches}`)).expect(200)
    return (await ours()) > before
  })
  await other.end('SIGTERM')
})

/** How often each server has looked into some tables; its statistics say so with a delay. */
async function readings() {
  const counted = async (look: Inspector, table: string) =>
    look.count('select coalesce(seq_scan, 0) + coalesce(idx_scan, 0) from pg_stat_user_tables where relname = $1', [
      table,
    ])
  const both = async (table: string) => ({
    primary: await counted(primary, table),
    replica: await counted(replica, table),
  })
  return { articles: await both('articles'), sessions: await both('sessions') }
}

async function untilAnsweredBy(server: Inspector) {
  const scans = async () => (await readings()).articles[server === replica ? 'replica' : 'primary']
  const before = await scans().catch(() => 0)
  await until(async () => {
    ;(await search()).expect(200)
    return (await scans()) > before
  })
}

async function until(condition: () => Promise<boolean>) {
  for (const end = performance.now() + 20_000; performance.now() < end; await sleep(100))
    if (await condition().catch(() => false)) return
  throw new Error('it did not come to that')
}
