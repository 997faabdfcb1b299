import { describe, expect, test } from 'vitest'
import { openSightings } from '../../src/domains/auth/sightings.ts'
import { EVENTS } from '../support/event-rows.ts'
import { startJob } from '../support/jobs.ts'
import { until } from '../support/patience.ts'
import { givenPassword } from '../support/quick-hash.ts'
import { shifted } from '../support/shifted.ts'
import { openWorld, type Person } from '../support/world.ts'

const PASSWORD = 'a long and winding road'
const LIFETIME_DAYS = 40
/** What the service remembers of sessions is younger than a second. */
const world = await openWorld({ env: { SESSION_LIFETIME: String(LIFETIME_DAYS * 86_400) } })
const tenant = await world.givenTenant()

/** A person who has signed in `count` times, each time with another browser. */
async function givenSessions(count: number): Promise<Person[]> {
  const person = await givenPassword(world, await world.givenUser(tenant), PASSWORD)
  await world.look.rows('delete from sessions where user_id = $1', [person.id])
  const sessions: Person[] = []
  for (let browser = 1; browser <= count; browser++)
    sessions.push({
      ...person,
      token: (await signIn(person, { 'user-agent': `Browser ${browser}` })).accessToken,
    })
  return sessions
}
const signIn = async ({ username }: Person, headers = {}) => {
  const form = { username, password: PASSWORD, tenantCode: tenant.code }
  return (await world.anyone.post('/auth/login', form, headers)).expect(200)
}
const refresh = ({ refreshToken }: { refreshToken: string }) => world.anyone.post('/auth/refresh', { refreshToken })
const list = (session: Person) => world.as(session).read('/auth/sessions')
const isAlive = async (session: Person) => (await world.as(session).get('/auth/me')).status === 200

describe("a person's sessions", () => {
  test('are listed for their person alone, with where each was opened', async () => {
    const [first, second] = await givenSessions(2)
    await givenSessions(1)

    const sessions = await list(second!)
    expect(sessions).toEqual([
      {
        ...{ id: expect.any(Number), current: true, ip: '127.0.0.1', userAgent: 'Browser 2', openedWith: 'password' },
        ...{ createdAt: expect.any(String), lastSeenAt: expect.any(String) },
      },
      expect.objectContaining({ current: false, userAgent: 'Browser 1' }),
    ])
    expect(sessions.every((session: any) => session.lastSeenAt >= session.createdAt)).toBe(true)
    expect((await list(first!)).map(({ current }: any) => current)).toEqual([false, true])
  })

  test('are ended one by one, by their person and nobody else', async () => {
    const [first, second] = await givenSessions(2)
    const [stranger] = await givenSessions(1)
    const [, { id }] = await list(second!)

    ;(await world.as(stranger!).delete(`/auth/sessions/${id}`)).expect(404, 'NOT_FOUND')
    ;(await world.as(tenant.administrator).delete(`/auth/sessions/${id}`)).expect(404, 'NOT_FOUND')
    ;(await world.as(second!).delete(`/auth/sessions/${id}`)).expect(200)
    ;(await world.as(second!).delete(`/auth/sessions/${id}`)).expect(404, 'NOT_FOUND')

    await until(async () => expect(await isAlive(first!)).toBe(false))
    expect(await isAlive(second!)).toBe(true)
    expect(await list(second!)).toHaveLength(1)
  })

  test('end all together but for the current one', async () => {
    const [first, second, third] = await givenSessions(3)
    const [somebody] = await givenSessions(1)
    ;(await world.as(second!).delete('/auth/sessions')).expect(200)

    await until(async () => expect([await isAlive(first!), await isAlive(third!)]).toEqual([false, false]))
    expect([await isAlive(second!), await isAlive(somebody!)]).toEqual([true, true])
  })

  test('of somebody else are ended by those who hold all of their rights; it is audited, and an event', async () => {
    const boss = tenant.administrator
    const [first, second] = await givenSessions(2)
    const [somebody] = await givenSessions(1)
    const path = `/users/${first!.id}/sessions`
    const { version } = await world.as(boss).read(`/users/${first!.id}`)
    ;(await world.as(boss).delete(path)).expect(200)

    await until(async () => expect([await isAlive(first!), await isAlive(second!)]).toEqual([false, false]))
    expect([await isAlive(somebody!), await isAlive(boss)]).toEqual([true, true])
    // They can sign in again, and the form of the person is not stale.
    await signIn(first!)
    expect((await world.as(boss).read(`/users/${first!.id}`)).version).toBe(version)

    const audit = await world.as(boss).read('/audit/operations?method=DELETE')
    expect(audit).toContainEqual(expect.objectContaining({ path: `/api/v1${path}`, status: 200, userId: boss.id }))
    const events = await world.look.rows(
      `select actor_id::float8 as by, data from ${EVENTS}
        where tenant_id = $1 and type = 'user.updated' and subject_type = 'user' and subject_id = $2`,
      [tenant.id, first!.id],
    )
    expect(events).toEqual([{ by: boss.id, data: { changes: [{ field: 'sessions', from: null, to: null }] } }])
  })

  test('of a manager of people end by the same call, but for the current one', async () => {
    const role = await world.givenRole(tenant, ['user:update', 'user:list'])
    const [first, second] = await givenSessions(2)
    await world.look.rows(
      'insert into user_roles (tenant_id, user_id, role_id) select tenant_id, $1, id from roles where code = $2',
      [first!.id, role],
    )
    await until(async () => (await world.as(second!).delete(`/users/${first!.id}/sessions`)).expect(200))
    await until(async () => expect(await isAlive(first!)).toBe(false))
    expect(await isAlive(second!)).toBe(true)
  })

  test('of the system administrator are those at home, whichever tenant they name', async () => {
    const elsewhere = { 'x-tenant-code': tenant.code }
    const sessions = await world.as(world.admin).read('/auth/sessions', elsewhere)
    expect(sessions.filter(({ current }: any) => current)).toHaveLength(1)
  })

  test('are seen in use, apart from the requests, and without bringing back one that has ended', async () => {
    const [first, second] = await givenSessions(2)
    const [, { id }] = await list(second!)
    await world.look.rows(`update sessions set created_at = ${shifted('created_at', '-1 day')} where id = $1`, [id])
    const ended = id + 1_000_000
    const sightings = openSightings()
    const writing = await startJob(world.database, sightings.job, 1)
    sightings.note(tenant.id, id)
    sightings.note(tenant.id, ended)

    await until(async () => {
      const [, older] = await list(second!)
      expect(Date.parse(older.lastSeenAt) - Date.parse(older.createdAt)).toBeGreaterThan(80_000_000)
    })
    await writing.stop()
    expect(await isAlive(first!)).toBe(true)
    expect(await world.look.rows('select 1 from session_sightings where session_id = $1', [ended])).toEqual([])
  })

  test('end after the lifetime of a session, however often they were continued', async () => {
    const [person] = await givenSessions(1)
    const session = await signIn(person!)
    const opened = (days: number) =>
      world.look.rows(
        `update sessions set created_at = clock_timestamp() - make_interval(days => $2) where user_id = $1`,
        [person!.id, days],
      )
    await opened(LIFETIME_DAYS - 1)
    const continued = (await refresh(session)).expect(200)
    await opened(LIFETIME_DAYS)
    ;(await refresh(continued)).expect(401)
    expect(await list(person!)).toHaveLength(1)
  })
})
