import { describe, expect, test } from 'vitest'
import type { Answer } from '#test/client.ts'
import { openTransaction } from '#test/interleave.ts'
import { report } from '#test/invariants.ts'
import { obedient } from '#test/obedient.ts'
import { inTime, until } from '#test/patience.ts'
import { isHere } from '#test/plugins.ts'
import { addFactor } from '#test/second-factor.ts'
import { openWorld, type Person, type Tenant } from '#test/world.ts'
import { deliverNotifications } from '../../../data/outbox/outbox.ts'
import { givenTab, type Listener, listen } from './listener.ts'

const world = await openWorld({ env: { STREAM_HEARTBEAT_MS: '300' } })
const port = await world.listen()
const tenant = await world.givenTenant()
const anna = await world.givenUser(tenant)

/** This many events for a person, delivered as the courier does. @returns the ids of the notifications */
async function givenNews(person: Person, title: string, times = 1): Promise<number[]> {
  await world.look.rows(
    `insert into outbox (tenant_id, type, title, resource_type, resource_id, receivers)
     select $1, 'TASK_ASSIGNED', $2, 'task', n, $3 from generate_series(1, $4::int) n`,
    [person.tenantId, title, [person.id], times],
  )
  while (await deliverNotifications(world.database, person.tenantId));
  const told = 'select id::float8 from notifications where receiver_id = $1 and title = $2 order by id'
  return (await world.look.rows(told, [person.id, title])).map(({ id }: any) => id)
}
const inbox = async (person: Person) => (await world.as(person).get('/notifications')).expect(200)

describe('who listens', () => {
  test('gets what arrives, as the list shows it, and how many are unread', async () => {
    const [boss, ben] = [await world.givenUser(tenant), await world.givenUser(tenant)]
    const project = await world.givenProject(boss, { name: 'Moon' })
    const tab = await givenTab(port, ben)
    expect(tab.heard).toEqual([{ event: 'unread-count', data: { count: 0 }, lastEventId: '0' }])

    await world.givenMember(boss, project, ben)

    await tab.until('a notification, counted', () => tab.unread() === 1)
    const [listed] = await inbox(ben)
    // The look that the greeting began may count before the notification arrives, and read after it.
    expect([...tab.heard.filter(({ event }) => event === 'notification'), tab.heard.at(-1)]).toEqual([
      { event: 'notification', data: listed, lastEventId: String(listed.id) },
      // After it nothing more can come, but while other transactions of the server are in progress that is not certain.
      { event: 'unread-count', data: { count: 1 }, lastEventId: expect.toBeOneOf(['0', String(listed.id)]) },
    ])
  })

  test('is written in the language that the stream was opened with, also what was missed', async () => {
    const [boss, ben] = [await world.givenUser(tenant), await world.givenUser(tenant)]
    const open = (language: string, lastEventId?: string) =>
      givenTab(port, ben, {
        headers: { 'accept-language': language, ...(lastEventId && { 'last-event-id': lastEventId }) },
      })
    const titles = ({ heard }: Listener) =>
      heard.filter(({ event }) => event === 'notification').map(({ data }) => (data as any).title)
    const [english, chinese] = [await open('en'), await open('zh-CN')]

    await world.givenMember(boss, await world.givenProject(boss, { name: 'Moon' }), ben)

    for (const tab of [english, chinese]) await tab.until('a notification', () => titles(tab).length === 1)
    expect([titles(english), titles(chinese)]).toEqual([['You were added to Moon'], ['您已加入项目 Moon']])
    expect(titles(await open('zh-CN', '0'))).toEqual(['您已加入项目 Moon'])
  })

  test('is answered as streams are: uncached, unbuffered, with the time after which to come again', async () => {
    const tab = await givenTab(port, anna, { headers: { origin: 'http://localhost:5173', 'x-request-id': 'tab-1' } })
    expect(tab.headers).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
      'x-request-id': 'tab-1',
      'access-control-allow-origin': 'http://localhost:5173',
    })
    expect(tab.headers['content-encoding']).toBeUndefined()
    expect(tab.retry).toBe(3000)
    await tab.until('a sign of life', ({ comments }) => comments >= 2)
  })

  test('hears nothing of others, of the same tenant or of another', async () => {
    const foreign = await world.givenTenant()
    const [near, far] = [await world.givenUser(tenant), await world.givenUser(foreign)]
    const dora = await world.givenUser(tenant)
    const tabs = [await givenTab(port, dora), await givenTab(port, dora, { lastEventId: 0 })]
    const elsewhere = await givenTab(port, dora, {
      lastEventId: 0,
      headers: { 'x-tenant-code': foreign.code, 'x-user-id': String(far.id) },
      query: `?tenantId=${foreign.id}&receiverId=${far.id}`,
    })

    await givenNews(near, 'CANARY of a colleague', 5)
    await givenNews(far, 'CANARY of another tenant', 5)
    world.database.inboxSignal.publish(foreign.id, [dora.id])
    world.database.inboxSignal.publish(tenant.id, [far.id, near.id, dora.id])
    const ids = await givenNews(dora, 'for dora')

    for (const tab of [...tabs, elsewhere]) {
      await tab.until('her own', () => tab.unread() === 1)
      expect(tab.ids()).toEqual(ids)
      expect(JSON.stringify(tab.heard)).not.toContain('CANARY')
    }
  })
})

describe('who comes again', () => {
  test('is sent exactly what was missed, in whichever way the last id is sent', async () => {
    const ed = await world.givenUser(tenant)
    const [first, second, ...missed] = await givenNews(ed, 'on the way', 7)

    const header = await givenTab(port, ed, { lastEventId: second! })
    const query = await givenTab(port, ed, { query: `?lastEventId=${second}` })
    const both = await givenTab(port, ed, { lastEventId: second!, query: `?lastEventId=${first}` })
    const all = await givenTab(port, ed, { lastEventId: 0 })
    const none = await givenTab(port, ed, { lastEventId: '', query: '?lastEventId=' })

    for (const tab of [header, query, both]) expect(tab.ids()).toEqual(missed)
    expect(all.ids()).toEqual([first, second, ...missed])
    expect(none.ids()).toEqual([])
    const next = await givenNews(ed, 'after that')
    for (const tab of [header, query, both, all, none]) {
      // A row that arrives between the two statements of a look is sent by it and counted by the next one.
      await tab.until('the next, counted', () => tab.ids().at(-1) === next[0] && tab.unread() === 8)
      expect(new Set(tab.ids()).size).toBe(tab.ids().length)
    }
  })

  test('is sent all of five hundred; after more than a thousand has to load the list, and gets what comes then', async () => {
    const gus = await world.givenUser(tenant)
    const [first] = await givenNews(gus, 'the first')
    const missed = await givenNews(gus, 'missed', 500)
    const tab = await givenTab(port, gus, { lastEventId: first! })
    expect(tab.ids()).toEqual(missed)
    // One that is behind makes all tabs of its person load the list.
    tab.leave()
    await until(() => world.app.streams.count() === 0)
    await givenNews(gus, 'far too many', 501)

    const again = await givenTab(port, gus, { lastEventId: first! })
    // Counted again if the last delivery is heard of only now.
    const [told, ...counted] = again.heard.map(({ event }) => event)
    expect([told, ...new Set(counted)]).toEqual(['reset', 'unread-count'])
    const next = await givenNews(gus, 'after that')
    await again.until('the next', () => again.ids().length > 0)
    expect(again.ids()).toEqual(next)
  })
})

describe('a notification that is overtaken', () => {
  /** A delivery that has drawn its id and does not come to its commit. */
  async function givenSlowDelivery(person: Person) {
    const { query, commit } = await openTransaction(world.databaseUrl)
    await query('select pg_current_xact_id()')
    const { rows } = await query(
      `insert into notifications (tenant_id, receiver_id, event_id, type, title, created_at)
       values ($1, $2::bigint, 900000000 + $2::bigint, 'TASK_ASSIGNED', 'overtaken', now()) returning id::float8`,
      [person.tenantId, person.id],
    )
    return { id: rows[0].id as number, commit }
  }

  test('comes anyway, once, at the next look', async () => {
    const hal = await world.givenUser(tenant)
    const tab = await givenTab(port, hal)
    const slow = await givenSlowDelivery(hal)
    const [fast] = await givenNews(hal, 'faster')
    await tab.until('the faster one', () => tab.ids().length === 1)

    await slow.commit()

    await tab.until('the slower one', () => tab.ids().length === 2)
    expect(tab.ids()).toEqual([fast, slow.id])
    expect(fast).toBeGreaterThan(slow.id)
    await tab.until('a place behind both', () => tab.lastEventId === String(fast))
    const [next] = await givenNews(hal, 'after that')
    await tab.until('the next', () => tab.ids().length === 3)
    expect(tab.ids()).toEqual([fast, slow.id, next])
  })
})

describe('a stream ends within a second', () => {
  const by = (person: Person) => obedient(world.as(person))
  const reasons: Record<string, (person: Person, home: Tenant) => Promise<Answer | unknown[]>> = {
    'signed out': (person) => by(person).post('/auth/logout'),
    'session ended in another replica': ({ id }) => world.look.rows('delete from sessions where user_id = $1', [id]),
    'user disabled': ({ id }, home) => by(home.administrator).put(`/users/${id}`, { status: 'disabled' }),
    'user deleted': ({ id }, home) => by(home.administrator).delete(`/users/${id}`),
    'password changed elsewhere': ({ id }, home) =>
      by(home.administrator).put(`/users/${id}`, { password: 'another one' }),
    ...(isHere('second-factor', 'settings') && {
      'second factor became a duty': async (_: Person, home: Tenant) => {
        const administrator = by(home.administrator)
        await addFactor(administrator)
        return administrator.put('/tenant/settings', { secondFactor: 'required' })
      },
    }),
    'tenant disabled': (_, home) => by(world.admin).put(`/tenants/${home.id}`, { status: 'disabled' }),
    'tenant expired, in another replica': (_, home) =>
      world.look.rows('update tenants set expired_at = now() where id = $1', [home.id]),
  }

  test('of every reason for which a request would be refused', async () => {
    const spared = await givenTab(port, await world.givenUser(tenant))
    const endings = Object.entries(reasons).map(async ([reason, act]) => {
      const home = await world.givenTenant()
      const person = await world.givenUser(home)
      const tab = await givenTab(port, person)
      const done = await act(person, home)
      if ('expect' in done) done.expect(200)
      const begun = performance.now()
      await tab.until(reason, () => !tab.isOpen)
      const within = Math.round(performance.now() - begun)
      expect(within, reason).toBeLessThan(inTime(2000))
      const comesAgain = () => listen(port, person.token).catch(({ status }) => status)
      await expect.poll(comesAgain).toBeOneOf([401, 403])
      return [reason, within] as const
    })

    report('streams end', [], Object.fromEntries(await Promise.all(endings)))
    expect(spared.isOpen).toBe(true)
  })

  test('of the expiry of its token', async () => {
    const lou = await world.givenUser(tenant)
    const { exp: _, ...claims } = world.app.jwt.decode(lou.token) as any
    // On a slow machine one may expire before it is sent.
    const { tab, expiresAt } = await until(async () => {
      const token = world.app.jwt.sign(claims, { expiresIn: '2s' } as never)
      const expiresAt = (world.app.jwt.decode(token) as any).exp * 1000
      return { tab: await givenTab(port, { ...lou, token }), expiresAt }
    })
    await tab.until('the end', () => !tab.isOpen)
    expect(Date.now()).toBeGreaterThanOrEqual(expiresAt)
    expect(Date.now() - expiresAt).toBeLessThan(inTime(2000))
  })
})

test('one more than twelve tabs closes the oldest, which has to stay away for a while', async () => {
  const mia = await world.givenUser(tenant)
  const tabs = await Promise.all(Array.from({ length: 12 }, () => givenTab(port, mia)))
  await givenTab(port, mia)
  await expect.poll(() => tabs.filter((tab) => !tab.isOpen).length).toBe(1)
  expect(tabs.find((tab) => !tab.isOpen)!.retry).toBeGreaterThanOrEqual(30_000)
  expect(world.app.streams.count()).toBe(12)
})

test('nothing stays of who has left, however early', async () => {
  const nia = await world.givenUser(tenant)
  await Promise.all(
    Array.from({ length: 30 }, async (_, at) => {
      const coming = listen(port, nia.token).catch(() => undefined)
      if (at % 2) (await coming)?.leave()
      else void coming.then((listener) => listener?.leave())
    }),
  )
  await expect.poll(() => world.app.streams.count()).toBe(0)
})

test('the head of a stream cannot be asked for', async () => {
  const answer = await world.as(anna).send({ method: 'HEAD', url: '/api/v1/notifications/stream' })
  expect(answer.status).toBe(405)
})
