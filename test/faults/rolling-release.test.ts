import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { createPlainDatabase, type Inspector, openInspector } from '../support/database.ts'
import { apart } from '../support/domains.ts'
import { expectNothingLost } from '../support/nothing-lost.ts'
import { inTime, until } from '../support/patience.ts'
import { openPreviousRelease } from '../support/previous-release.ts'
import { type ServiceProcess, startProcess } from '../support/service.ts'
import { type Company, foundCompanies, startWorkload } from '../support/workload.ts'
import { givenYearOfRows, type Year } from '../support/year-of-rows.ts'

/**
 * An upgrade from the newest tag; skipped until there is one. ROLLING_REQUESTS=100000 ROLLING_ROWS=34000 for the full run,
 * the rows being those of each large table in each of three tenants.
 */
const REQUESTS = Number(process.env.ROLLING_REQUESTS ?? 200)
const ROWS = Number(process.env.ROLLING_ROWS ?? 1000)
/** What plug-ins make of the rows of before, and wait for. */
const ofPlugins = apart.map(({ folder }) => join(folder, 'test/upgrade.ts')).filter((file) => existsSync(file))
const previous = openPreviousRelease()
/** By default the events of a year would be removed from the log. */
const env = { EVENTS_DAYS: '0' }

describe.skipIf(!previous)(`an update of ${previous?.revision.slice(0, 12)} while it serves`, () => {
  let databaseUrl: string
  let look: Inspector
  let before: ServiceProcess
  let after: ServiceProcess
  let companies: Company[]
  let year: Year
  beforeAll(async () => {
    databaseUrl = await createPlainDatabase()
    look = await openInspector(databaseUrl)
    before = await startProcess({ databaseUrl, release: previous!.folder, env })
    year = await givenYearOfRows(look, previous!.folder, ROWS)
    companies = await foundCompanies(before.remote)
  })

  test('of one replica after the other loses nothing, answers no 5xx, and keeps the rows of a year', async () => {
    const replicas = await Promise.all([1, 2].map(() => startProcess({ databaseUrl, release: previous!.folder, env })))
    const sums = await year.sums()
    let sent = 0
    // As a balancer: by turns. Whose connection is refused goes on with the other.
    const workload = startWorkload(() => replicas[sent++ % 2]!.remote, companies, { clients: 12, reads: 0.3 })
    const serve = async (requests: number) => {
      for (let served = 0; served < requests; served += 100) await workload.served(100)
    }
    await serve(REQUESTS / 4)
    const since = Date.now()
    const readyAfterMs: number[] = []
    for (const [at, { port, end }] of replicas.entries()) {
      expect(await end('SIGTERM')).toMatchObject({ code: 0 })
      replicas[at] = await startProcess({ databaseUrl, port, env })
      readyAfterMs.push(Math.round(replicas[at].readyAfter))
      await serve(REQUESTS / 4)
    }
    after = replicas[0]!
    await serve(REQUESTS / 4)
    await workload.stop()
    expect(workload.history.filter(({ status = 0 }) => status >= 500)).toEqual([])

    const migratedAfterMs = await look.count(
      'select (extract(epoch from max(applied_at)) * 1000)::bigint - $1 from schema_migrations',
      [since],
    )
    const figures: Record<string, unknown> = { sums, readyAfterMs, migratedAfterMs }
    for (const file of ofPlugins)
      Object.assign(figures, await (await import(file)).default({ look, remote: after.remote, year, since }))
    await expectNothingLost('one replica after the other', await year.openOthers(), workload, figures)
    expect(await year.sums()).toEqual(sums)
  })

  test('lets nobody write over what somebody else has changed through the other', async () => {
    const { token } = companies[0]!.people[0]!
    const releases = [before, after].map(({ remote }) => remote.as(token))
    const made = await releases[0]!.post('/content/articles', { title: 'First' })
    const path = `/content/articles/${made.expect(201).id}`
    for (const [one, other] of [releases, [...releases].reverse()]) {
      const read = await one!.get(path)
      ;(await other!.put(path, { title: 'Changed elsewhere' })).expect(200)
      ;(await one!.put(path, { title: 'Late' }, { 'if-match': String(read.headers.etag) })).expect(412)
      expect((await one!.get(path)).expect(200).title).toBe('Changed elsewhere')
    }
  })

  test('what either has taken away, the other hears of, once', async () => {
    const releases = [before, after]
    const admin = companies[1]!.people[0]!
    for (const [at, person] of companies[1]!.people.slice(1, 3).entries()) {
      const [one, other] = at === 0 ? releases : [...releases].reverse()
      const theirs = other!.remote.as(person.token)
      ;(await theirs.get('/auth/me')).expect(200)
      const boss = one!.remote.as(admin.token)
      ;(await boss.put(`/users/${person.id}`, { status: 'disabled' })).expect(200)
      const from = performance.now()
      await until(async () => (await theirs.get('/auth/me')).expect(401))
      expect(performance.now() - from).toBeLessThan(inTime(1000))
      const announced = await look.rows(
        `select transaction_id from invalidations where kind = 'user' and subject = $1 group by transaction_id having count(*) > 1`,
        [person.id],
      )
      expect(announced).toEqual([])
    }
  })

  test.skipIf(!previous?.isBehind)(
    'is not taken back by mistake: the release of before does not start on what the new one has made',
    async () => {
      await before.end('SIGTERM')
      const start = startProcess({ databaseUrl, release: previous!.folder })
      await expect(start).rejects.toThrow(/newer version has migrated this database/)
      const forced = { ALLOW_DOWNGRADE: 'true' }
      before = await startProcess({ databaseUrl, release: previous!.folder, env: forced })
      expect((await before.remote.probe('/readyz')).status).toBe(200)
    },
  )
})
