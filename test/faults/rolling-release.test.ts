import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createPlainDatabase, type Inspector, openInspector } from '../support/database.ts'
import { checkDatabase, checkHistory, expectNoViolation, untilDelivered } from '../support/invariants.ts'
import { openPreviousRelease } from '../support/previous-release.ts'
import { type ServiceProcess, startProcess } from '../support/service.ts'
import { type Company, foundCompanies, startWorkload, tally, type Workload } from '../support/workload.ts'

/** ROLLING_SECONDS=60 for the full run. */
const SECONDS = Number(process.env.ROLLING_SECONDS ?? 3)
const previous = openPreviousRelease()
if (!previous) console.warn('There is no history here, so no release of before: updates of it were NOT tried.')

describe.skipIf(!previous)(`an update of ${previous?.revision.slice(0, 12)} while it serves`, () => {
  let databaseUrl: string
  let look: Inspector
  let before: ServiceProcess
  let after: ServiceProcess
  let companies: Company[]
  let workload: Workload
  beforeAll(async () => {
    databaseUrl = await createPlainDatabase()
    look = await openInspector(databaseUrl)
    before = await startProcess({ databaseUrl, release: previous!.folder })
    companies = await foundCompanies(before.remote)
  }, 60_000)
  afterAll(async () => {
    await workload?.stop()
    for (const service of [before, after]) if (service?.isAlive()) await service.end('SIGKILL')
    await look?.close()
    previous?.remove()
  })

  test('loses nothing that either has acknowledged, and no change is written over', { timeout: 120_000 }, async () => {
    let sent = 0
    workload = startWorkload(() => (after && sent++ % 2 ? after : before).remote, companies, {
      clients: 12,
      reads: 0.3,
    })
    await sleep(500)
    after = await startProcess({ databaseUrl })
    await sleep(1000 * SECONDS)
    await workload.stop()
    await untilDelivered(look)

    const { history, foreign, malformed } = workload
    expectNoViolation(
      'two releases at once',
      [...(await checkHistory(look, history)), ...(await checkDatabase(look))],
      {
        outcomes: tally(history),
        byTheNewOne: Math.floor(sent / 2),
      },
    )
    expect({ foreign, malformed }).toEqual({ foreign: [], malformed: [] })
    expect(sent).toBeGreaterThan(20)
  })

  test('lets nobody write over what somebody else has changed through the other', { timeout: 60_000 }, async () => {
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

  test('what either has taken away, the other has heard of within a second, once', { timeout: 60_000 }, async () => {
    const releases = [before, after]
    const admin = companies[1]!.people[0]!
    for (const [at, person] of companies[1]!.people.slice(1, 3).entries()) {
      const [one, other] = at === 0 ? releases : [...releases].reverse()
      const theirs = other!.remote.as(person.token)
      ;(await theirs.get('/auth/me')).expect(200)
      const boss = one!.remote.as(admin.token)
      ;(await boss.put(`/users/${person.id}`, { status: 'disabled' })).expect(200)
      await sleep(1000)
      ;(await theirs.get('/auth/me')).expect(401)
      const announced = await look.rows(
        `select transaction_id from invalidations where kind = 'user' and subject = $1 group by transaction_id having count(*) > 1`,
        [person.id],
      )
      expect(announced).toEqual([])
    }
  })

  test.skipIf(!previous?.isBehind)(
    'is not taken back by mistake: the release of before does not start on what the new one has made',
    {
      timeout: 60_000,
    },
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
