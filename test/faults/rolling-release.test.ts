import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createPlainDatabase, type Inspector, openInspector } from '../support/database.ts'
import { expectNothingLost } from '../support/nothing-lost.ts'
import { inTime, until } from '../support/patience.ts'
import { openPreviousRelease } from '../support/previous-release.ts'
import { type ServiceProcess, startProcess } from '../support/service.ts'
import { type Company, foundCompanies, startWorkload } from '../support/workload.ts'

/** An upgrade from the newest tag; skipped until there is one. ROLLING_REQUESTS=100000 for the full run. */
const REQUESTS = Number(process.env.ROLLING_REQUESTS ?? 200)
const previous = openPreviousRelease()

describe.skipIf(!previous)(`an update of ${previous?.revision.slice(0, 12)} while it serves`, () => {
  let databaseUrl: string
  let look: Inspector
  let before: ServiceProcess
  let after: ServiceProcess
  let companies: Company[]
  beforeAll(async () => {
    databaseUrl = await createPlainDatabase()
    look = await openInspector(databaseUrl)
    before = await startProcess({ databaseUrl, release: previous!.folder })
    companies = await foundCompanies(before.remote)
  })
  afterAll(() => previous?.remove())

  test('loses nothing that either has acknowledged, and no change is written over', async () => {
    let sent = 0
    const workload = startWorkload(() => (after && sent++ % 2 ? after : before).remote, companies, {
      clients: 12,
      reads: 0.3,
    })
    await workload.served(20)
    after = await startProcess({ databaseUrl })
    for (let served = 0; served < REQUESTS; served += 100) await workload.served(100)
    await expectNothingLost('two releases at once', look, workload, { byTheNewOne: Math.floor(sent / 2) })
    expect(sent).toBeGreaterThan(REQUESTS / 2)
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
