import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openScope } from '../../src/data/tx/open-scope.ts'
import { run } from '../../src/data/tx/scope.ts'
import type { Call } from '../../src/data/wire/flight.ts'
import { openWorld, type Person, type World } from '../support/world.ts'

/** What costs the database much for one, and must not be felt by the others. */
let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.close())

const sleeps = (seconds: number, costly = false): Call => ({
  prepared: {
    name: `sleep-${seconds}-${costly}`,
    text: `select pg_sleep(${seconds})::text as slept`,
    intent: 'read',
    costly,
  },
  values: [],
})
const read: Call = { prepared: { name: 'one', text: 'select 1 as one', intent: 'read' }, values: [] }

describe('a read that costs much', () => {
  test('keeps no short read waiting, however many come', async () => {
    const ended: string[] = []
    const costly = Array.from({ length: 8 }, (_, at) =>
      run(openScope(world.database, 1, `person ${at % 3}`), sleeps(0.3, true)).then(() => ended.push('costly')),
    )
    await Promise.all(
      Array.from({ length: 20 }, () => run(openScope(world.database, 2), read).then(() => ended.push('short'))),
    )
    expect(ended).toEqual(Array(20).fill('short'))
    await Promise.all(costly)
    expect(world.database.stats()).toMatchObject({ searches: 0, searchesWaiting: 0 })
  })

  test('of one tenant waits behind itself, and that of another goes first', async () => {
    const ended: string[] = []
    const search = (tenantId: number, caller: string) =>
      run(openScope(world.database, tenantId, caller), sleeps(0.2, true)).then(() => ended.push(`${tenantId}`))
    const flood = Array.from({ length: 6 }, (_, at) => search(1, `person ${at}`))
    await Promise.all([...flood, search(2, 'somebody')])
    expect(ended.indexOf('2')).toBeLessThan(2)
  })

  test('of two tenants leaves room for what a third one finds soon', async () => {
    const ended: string[] = []
    const search = (tenantId: number, caller: string, seconds: number) =>
      run(openScope(world.database, tenantId, caller), sleeps(seconds, true)).then(() => ended.push(`${tenantId}`))
    const floods = [11, 12].flatMap((tenantId) =>
      Array.from({ length: 4 }, (_, at) => search(tenantId, `person ${at}`, 1)),
    )
    for (let time = 0; time < 10; time++) await search(13, 'somebody', 0.01)
    expect(ended.filter((tenant) => tenant !== '13').length).toBeLessThanOrEqual(2)
    await Promise.allSettled(floods)
  })

  test('is found out if it does not say so, and is answered anyway', async () => {
    const result = await run(openScope(world.database, 1), sleeps(0.8))
    expect(result.rows).toEqual([{ slept: '' }])
  })

  test('whose answer may be large waits for those of its own person; where too many wait, one more is refused', async () => {
    const { prepared } = sleeps(0.05)
    const large: Call = { prepared: { ...prepared, large: true }, values: [] }
    const ended: string[] = []
    const ask = (tenantId: number, caller: string) =>
      run(openScope(world.database, tenantId, caller), large).then(
        () => ended.push(caller),
        (refusal) => ended.push(refusal.type),
      )
    const greedy = Array.from({ length: 40 }, () => ask(1, 'greedy'))
    await Promise.all([ask(1, 'modest'), ask(2, 'somebody')])
    expect(ended.filter((one) => one === 'greedy').length).toBeLessThan(5)
    await Promise.all(greedy)
    expect(ended.filter((one) => one === 'greedy')).toHaveLength(17)
    expect(ended.filter((one) => one === 'RATE_LIMITED')).toHaveLength(23)
  })

  test('ends with a sentence when it takes longer than it may', async () => {
    await expect(run(openScope(world.database, 1), sleeps(20, true))).rejects.toMatchObject({
      type: 'TOO_COSTLY',
      status: 422,
    })
  })

  test('is refused to a person who asks for more concurrently than anyone reads', async () => {
    const scope = openScope(world.database, 1, 'one person')
    const all = await Promise.allSettled(Array.from({ length: 20 }, () => run(scope, sleeps(0.05, true))))
    const refused = all.filter((one) => one.status === 'rejected')
    expect(refused.length).toBe(20 - 1 - 8)
    for (const { reason } of refused) expect(reason).toMatchObject({ type: 'RATE_LIMITED', status: 429 })
  })
})

test('a stranger who searches all the time is felt by nobody in another tenant', { timeout: 60_000 }, async () => {
  const stranger = await world.givenUser({ id: 1 })
  const project = await world.givenProject(stranger)
  await givenLongTasks(stranger, project.id)
  const victim = (await world.givenTenant()).administrator
  const theirs = await world.givenProject(victim)

  let stopped = false
  const search = () => world.as(stranger).get(`/projects/${project.id}/tasks?keyword=${'a'.repeat(60)}b&page=1`)
  const flood = Array.from({ length: 32 }, async () => {
    const statuses: number[] = []
    while (!stopped) {
      const { status } = await search()
      statuses.push(status)
      if (status === 429) await sleep(100)
    }
    return statuses
  })
  for (let time = 0; time < 50; time++) (await world.as(victim).get(`/projects/${theirs.id}`)).expect(200)
  stopped = true
  const statuses = new Set((await Promise.all(flood)).flat())
  expect([...statuses].filter((status) => ![200, 422, 429, 503].includes(status))).toEqual([])
})

test('newcomers and registrations are served beside one account that signs in again and again', {
  timeout: 60_000,
}, async () => {
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
  const flood = Array.from({ length: 60 }, async () => {
    while (!stopped) await signIn('busy', '10.0.0.1')
  })
  for (let time = 0; time < 10; time++) {
    ;(await register(`newcomer-${time}`, `10.0.1.${time}`)).expect(201)
    ;(await signIn(`newcomer-${time}`, `10.0.2.${time}`)).expect(200)
  }
  stopped = true
  await Promise.all(flood)
})

/** Tasks in which a search finds nearly what it looks for, again and again. */
async function givenLongTasks(person: Person, projectId: number) {
  await world.look.rows(
    `insert into tasks (tenant_id, project_id, title, description, reporter_id, priority, status, version, created_at, updated_at)
     select $1, $2, 'long', repeat('a', 8000), $3, 'LOW', 'TODO', 0, now(), now() from generate_series(1, 1000)`,
    [person.tenantId, projectId, person.id],
  )
}
