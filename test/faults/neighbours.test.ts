import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, inject, test } from 'vitest'
import { openScope } from '../../src/data/tx/open-scope.ts'
import { run } from '../../src/data/tx/scope.ts'
import type { Call } from '../../src/data/wire/flight.ts'
import { hold } from '../support/interleave.ts'
import { obeying } from '../support/obedient.ts'
import { SLOWNESS, until } from '../support/patience.ts'
import { databaseOn } from '../support/servers.ts'
import { openWorld } from '../support/world.ts'

/** What costs the database much for one, and must not be felt by the others. */
const world = await openWorld({ env: { DATABASE_TIMEOUT_MS: '60000' } })

const reads = (text: string, costly = false): Call => ({
  prepared: { name: `${text} ${costly}`, text: `select ${text}::text as done`, intent: 'read', costly },
  values: [],
})
const sleeps = (seconds: number, costly = false) => reads(`pg_sleep(${seconds})`, costly)
const LOCK = 7
/** It takes as long as the test holds it up, or until the service gives it up. */
const heldUp = reads(`pg_advisory_xact_lock_shared(${LOCK})`, true)

const ask = (tenantId: number, caller: string, call: Call) => run(openScope(world.database, tenantId, caller), call)
const times = <T>(count: number, make: (at: number) => T) => Array.from({ length: count }, (_, at) => make(at))

/** Holds costly reads up until others are done, again if the machine let the service give one up meanwhile. */
async function expectDoneBeside(costly: () => Promise<unknown>[], others: () => Promise<unknown>): Promise<void> {
  await until(async () => {
    const name = new URL(world.databaseUrl).pathname.slice(1)
    const lock = `select pg_advisory_xact_lock(${LOCK})`
    const releases = await Promise.all(inject('servers').map((server) => hold(databaseOn(server, name), lock)))
    let ended = 0
    const ending = Promise.allSettled(costly().map((one) => one.finally(() => ended++)))
    const areFirst = others().then(() => ended === 0)
    await Promise.allSettled([areFirst])
    for (const release of releases) await release()
    await ending
    return areFirst
  })
}

describe('a read that costs much', () => {
  test('keeps no short read waiting, however many come', async () => {
    await expectDoneBeside(
      () => times(8, (at) => ask(1, `person ${at % 3}`, heldUp)),
      () => Promise.all(times(20, () => ask(2, '', reads('1')))),
    )
    await until(() => expect(world.database.stats()).toMatchObject({ searches: 0, searchesWaiting: 0 }))
  })

  test('of one tenant or two leaves room for what another one finds soon', async () => {
    await expectDoneBeside(
      () => [11, 12].flatMap((tenantId) => times(4, (at) => ask(tenantId, `person ${at}`, heldUp))),
      async () => {
        for (let time = 0; time < 10; time++) await ask(13, 'somebody', sleeps(0.01, true))
      },
    )
  })

  test('is found out if it does not say so, and is answered anyway', async () => {
    const { rows } = await until(() => run(openScope(world.database, 1), sleeps(0.6 * SLOWNESS)))
    expect(rows).toEqual([{ done: '' }])
  })

  test('whose answer may be large waits for those of its own person; where too many wait, one more is refused', async () => {
    const large: Call = { prepared: { ...sleeps(0.005).prepared, large: true }, values: [] }
    // Again if the machine was so slow that one of them came too late.
    await until(async () => {
      const ended: string[] = []
      const note = (tenantId: number, caller: string) =>
        ask(tenantId, caller, large).then(
          () => ended.push(caller),
          (refusal) => ended.push(`${refusal.status} ${refusal.type}`),
        )
      const greedy = times(40, () => note(1, 'greedy'))
      await Promise.all([note(1, 'modest'), note(2, 'somebody')])
      const before = ended.filter((one) => one === 'greedy')
      await Promise.all(greedy)
      expect(before.length).toBeLessThan(5)
      expect(ended.filter((one) => one === 'greedy')).toHaveLength(17)
      expect(ended.filter((one) => one === '429 RATE_LIMITED')).toHaveLength(23)
    })
  })

  test('ends with a sentence when it takes longer than it may', async () => {
    const refusal = { type: 'TOO_COSTLY', status: 422 }
    await until(() => expect(run(openScope(world.database, 1), sleeps(3600, true))).rejects.toMatchObject(refusal))
  })

  test('of one thing cannot be narrowed, and says that the database is slow', async () => {
    const { administrator } = await world.givenTenant()
    const { id } = await world.givenProject(administrator)
    const release = await hold(world.databaseUrl, 'lock table projects')
    const ask = (path: string) => world.as(administrator).get(path)
    const [one, list] = await Promise.all([ask(`/projects/${id}`), obeying(() => ask('/projects'))])
    one.expect(503, 'UNAVAILABLE')
    list.expect(422, 'TOO_COSTLY')
    // Nor has somebody who reads one thing many times searched too much: of so many one is refused before the others.
    const many = times(12, () => ask(`/projects/${id}`))
    ;(await Promise.race(many)).expect(503, 'UNAVAILABLE')
    await release()
    await Promise.all(many)
  })
})

test('a stranger who searches all the time is felt by nobody in another tenant', async () => {
  const stranger = await world.givenUser({ id: 1 })
  const project = await world.givenProject(stranger)
  // Tasks in which a search finds nearly what it looks for, again and again.
  await world.look.rows(
    `insert into tasks (tenant_id, project_id, title, description, reporter_id, priority, status, version, created_at, updated_at)
     select $1, $2, 'long', repeat('a', 8000), $3, 'LOW', 'TODO', 0, now(), now() from generate_series(1, 150)`,
    [stranger.tenantId, project.id, stranger.id],
  )
  const victim = (await world.givenTenant()).administrator
  const theirs = await world.givenProject(victim)

  let stopped = false
  const search = () => world.as(stranger).get(`/projects/${project.id}/tasks?keyword=${'a'.repeat(60)}b&page=1`)
  const flood = Array.from({ length: 12 }, async () => {
    const statuses: number[] = []
    while (!stopped) {
      const { status } = await search()
      statuses.push(status)
      if (status === 429) await sleep(100)
    }
    return statuses
  })
  for (let time = 0; time < 20; time++)
    (await obeying(() => world.as(victim).get(`/projects/${theirs.id}`))).expect(200)
  stopped = true
  const statuses = new Set((await Promise.all(flood)).flat())
  expect([...statuses].filter((status) => ![200, 422, 429, 503].includes(status))).toEqual([])
})

test('newcomers and registrations are served beside one account that signs in again and again', async () => {
  const register = (username: string, remoteAddress: string) => send('/auth/register', { username }, remoteAddress)
  const signIn = (username: string, remoteAddress: string) => send('/auth/login', { username }, remoteAddress)
  const send = (path: string, { username }: { username: string }, remoteAddress: string) =>
    world.anyone.send({
      method: 'POST',
      url: `/api/v1${path}`,
      payload: { username, password: 'correct horse', email: `${username}@company.example` },
      remoteAddress,
    })
  ;(await register('busy', '10.0.0.1')).expect(201)
  ;(await signIn('busy', '10.0.0.1')).expect(200)

  let stopped = false
  const flood = Array.from({ length: 40 }, async () => {
    while (!stopped) await signIn('busy', '10.0.0.1')
  })
  for (let time = 0; time < 3; time++) {
    ;(await obeying(() => register(`newcomer-${time}`, `10.0.1.${time}`))).expect(201)
    ;(await obeying(() => signIn(`newcomer-${time}`, `10.0.2.${time}`))).expect(200)
  }
  stopped = true
  await Promise.all(flood)
})
