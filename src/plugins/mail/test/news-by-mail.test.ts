import { describe, expect, test } from 'vitest'
import type { Answer } from '#test/client.ts'
import { EVENTS } from '#test/event-rows.ts'
import { until as untilOften } from '#test/patience.ts'
import { isOnCluster } from '#test/servers.ts'
import { openMailhost } from '#test/smtp.ts'
import { openWorld, type Person, type Tenant } from '#test/world.ts'

const PUBLIC_URL = 'https://atrium.example.com'
const host = await openMailhost()
const world = await openWorld({ env: { MAIL_URL: host.url, MAIL_FROM: 'no-reply@example.com', PUBLIC_URL } })
// As on a cluster, where each node draws its own ids.
const ids = (await world.look.rows(`select pg_get_serial_sequence('notifications', 'id') as name`))[0]!.name
if (!isOnCluster(world.databaseUrl)) await world.look.rows(`alter sequence ${ids} increment by 1024`)

interface Reader extends Person {
  address: string
}

/** Where the next morning is hours away: it is ten past eight there at this time of UTC. */
const FAR = [
  { timeZone: 'Asia/Shanghai', morning: '00:10', shown: 'GMT+8' },
  { timeZone: 'Asia/Karachi', morning: '03:10', shown: 'GMT+5' },
][[22, 23, 0].includes(new Date().getUTCHours()) ? 1 : 0]!

/** Jobs of the service bring it about, in seconds. */
const until = <T>(look: () => Promise<T>) => untilOften(look, 100)
type Given = { tenant: Tenant; reader: Reader }
let counter = 0
/** A tenant of its own for each test, because the tests run at the same time: most of each is the wait for the news. */
async function givenTenant() {
  const tenant = await world.givenTenant()
  const boss = tenant.administrator
  const project = await world.givenProject(boss)
  /** A member of the project with a verified address, who has the news of being a member. */
  async function givenReader(wishes: object = {}): Promise<Reader> {
    const person = await world.givenUser(tenant)
    const address = `reader-${++counter}@example.org`
    if (Object.keys(wishes).length) (await world.as(person).put('/users/me', wishes)).expect(200)
    await world.givenMember(boss, project, person)
    await until(async () => (await world.as(person).get('/notifications')).expect(200).length > 0)
    // Nobody had an address when they became a member.
    const verify = 'update users set email = $1, email_verified_at = clock_timestamp() where id = $2'
    await world.look.rows(verify, [address, person.id])
    return { ...person, address }
  }
  const assign = (title: string, { id }: { id: number }) => world.givenTask(boss, project, { title, assigneeId: id })
  /** Those before have been looked at when this one has its mail. */
  async function haveAllLooked() {
    const last = await givenReader()
    await assign('Shown', last)
    await host.mailsTo(last.address)
  }
  return { tenant, boss, project, givenReader, assign, haveAllLooked }
}
/** How many mails were written to a person, sent or not. */
const mailsOf = ({ id }: Person) => world.look.count('select count(*) from mails where user_id = $1', [id])
const keyIn = (headers: { key: string; value: string }[]) => {
  const { value } = headers.find(({ key }) => key === 'list-unsubscribe')!
  return /^<(.+)>$/.exec(value)![1]!.slice(PUBLIC_URL.length)
}
const ONE_CLICK = { 'content-type': 'application/x-www-form-urlencoded' }
const stop = (url: string) =>
  world.app.inject({ method: 'POST', url, payload: 'List-Unsubscribe=One-Click', headers: ONE_CLICK })

describe.concurrent('news', () => {
  test('go by mail to a verified address, in the language of the person, and nothing in it is HTML but ours', async () => {
    const { givenReader, assign } = await givenTenant()
    const reader = await givenReader({ locale: 'zh-CN' })
    await assign('<b>Tables</b> & chairs', reader)

    const [mail] = await host.mailsTo(reader.address)
    expect(mail!.subject).toBe('您被指派了任务 <b>Tables</b> & chairs')
    expect(mail!.text).toContain('• 您被指派了任务 <b>Tables</b> & chairs')
    expect(mail!.html).toContain('您被指派了任务 &lt;b&gt;Tables&lt;/b&gt; &amp; chairs')
    expect(mail!.html).not.toContain('<b>')
    expect(mail!.html).not.toMatch(/<img|src=|@import|url\(/)
  })

  test('of one moment are one mail, the newest first', async () => {
    const { tenant, givenReader, haveAllLooked } = await givenTenant()
    const reader = await givenReader()
    await world.look.rows(
      `insert into outbox (tenant_id, type, title, facts, receivers)
       select $1, 'TASK_ASSIGNED', 'You were assigned Job ' || n, jsonb_build_object('title', 'Job ' || n), array[$2::bigint]
       from generate_series(1, 3) n`,
      [tenant.id, reader.id],
    )
    await haveAllLooked()

    const [mail, ...others] = await host.mailsTo(reader.address)
    expect(mail!.text!.match(/You were assigned Job \d/g)).toEqual([3, 2, 1].map((n) => `You were assigned Job ${n}`))
    expect(others).toEqual([])
  })

  test('do not go to who was disabled or deleted since', async () => {
    const { boss, project, givenReader, assign, haveAllLooked } = await givenTenant()
    const [disabled, deleted] = [await givenReader(), await givenReader()]
    const [, task] = [await assign('Waits', disabled), await assign('Waits', deleted)]
    for (const { address } of [disabled, deleted]) await host.mailsTo(address)
    ;(await world.as(boss).put(`/tasks/${task.id}`, { assigneeId: null, version: 0 })).expect(200)
    ;(await world.as(boss).delete(`/projects/${project.id}/members/${deleted.id}`)).expect(200)
    ;(await world.as(boss).put(`/users/${disabled.id}`, { status: 'disabled' })).expect(200)
    ;(await world.as(boss).delete(`/users/${deleted.id}`)).expect(200)
    expect(await mailsOf(deleted)).toBe(0)
    // As if they had come before, and nobody had looked at them yet.
    const late = await world.look.rows(
      `insert into notifications (tenant_id, receiver_id, event_id, type, title, facts, created_at)
       select tenant_id, receiver_id, -event_id, type, title, facts, now() from notifications
       where receiver_id = any ($1) and type = 'TASK_ASSIGNED' returning id`,
      [[disabled.id, deleted.id]],
    )
    expect(late).toHaveLength(2)
    await haveAllLooked()
    expect([await mailsOf(disabled), await mailsOf(deleted)]).toEqual([1, 0])
  })
})

describe.concurrent('daily news', () => {
  const due = async ({ id }: Person) =>
    (await world.look.rows(`select due_at from mail_digests where user_id = $1`, [id]))[0]?.due_at as Date | undefined
  const becomeDue = ({ id }: Person) =>
    world.look.rows('update mail_digests set due_at = now() where user_id = $1', [id])

  test('wait for the next morning of the person, and are one mail without what they have read', async () => {
    const { givenReader, assign } = await givenTenant()
    const reader = await givenReader({ mail: 'daily', timeZone: FAR.timeZone })
    for (const title of ['First', 'Second', 'Third']) await assign(title, reader)
    // The first look may come between two of them.
    const newest = await until(async () => {
      const [newest] = (await world.as(reader).get('/notifications')).expect(200)
      const [digest] = await world.look.rows(`select news_to from mail_digests where user_id = $1`, [reader.id])
      return newest.title.includes('Third') && Number(digest?.news_to) >= newest.id && newest
    })
    const morning = (await due(reader))!
    expect(morning.toISOString()).toContain(`T${FAR.morning}:00.000Z`)
    expect(morning.getTime() - Date.now()).toBeLessThanOrEqual(86_400_000)

    ;(await world.as(reader).put(`/notifications/${newest.id}/read`)).expect(200)
    expect(await mailsOf(reader)).toBe(0)
    await becomeDue(reader)

    const [mail] = await host.mailsTo(reader.address)
    expect(mail!.subject).toBe('2 new notifications')
    expect(mail!.text).toContain('You were assigned First')
    expect(mail!.text).toContain('You were assigned Second')
    expect(mail!.text).not.toContain('Third')
    expect(mail!.text).toContain(FAR.shown)
    expect(await due(reader)).toBeUndefined()
  })

  const changeTenant =
    (patch: object) =>
    ({ tenant }: Given) =>
      world.as(world.admin).put(`/tenants/${tenant.id}`, patch)
  test.each<[string, (given: Given) => Promise<Answer>]>([
    ['of a tenant that is closed', changeTenant({ status: 'disabled' })],
    ['of a tenant that has expired', changeTenant({ expiredAt: '2001-01-01T00:00:00.000Z' })],
    ['that were all read by then', ({ reader }) => world.as(reader).put('/notifications/read-all')],
  ])('%s are no mail', async (_, change) => {
    const { tenant, givenReader, assign } = await givenTenant()
    const reader = await givenReader({ mail: 'daily', timeZone: FAR.timeZone })
    await assign('Waits', reader)
    await until(async () => Boolean(await due(reader)))
    ;(await change({ tenant, reader })).expect(200)
    await becomeDue(reader)
    // One that is sent stays in the list.
    await until(async () => !(await due(reader)) && (await mailsOf(reader)) === 0)
    expect(host.delivered.filter(({ to }) => to === reader.address)).toEqual([])
  })
})

describe.concurrent('the link that stops them', () => {
  test('shows a page that changes nothing, and one click stops them, without a sign-in', async () => {
    const { givenReader, assign, haveAllLooked } = await givenTenant()
    const reader = await givenReader()
    await assign('One', reader)
    const [mail] = await host.mailsTo(reader.address)
    expect(mail!.headers).toContainEqual(
      expect.objectContaining({ key: 'list-unsubscribe-post', value: 'List-Unsubscribe=One-Click' }),
    )
    const url = keyIn(mail!.headers)
    const setting = async () => (await world.as(reader).get('/users/me')).expect(200).mail

    const page = await world.app.inject({ url, headers: { 'accept-language': 'zh-CN' } })
    expect(page.statusCode).toBe(200)
    expect(page.headers['content-type']).toContain('text/html')
    expect(page.headers['content-security-policy']).toContain("default-src 'none'")
    expect(page.body).toContain('不再通过邮件接收通知')
    expect(await setting()).toBe('at_once')

    expect((await stop(url)).statusCode).toBe(200)
    expect(await setting()).toBe('never')
    const changes = `select count(*) from ${EVENTS} where type = 'user.updated' and subject_id = $1`
    const before = await world.look.count(changes, [reader.id])
    expect((await stop(url)).statusCode).toBe(200)
    expect(await world.look.count(changes, [reader.id]), 'it says nothing of a change').toBe(before)
    await assign('Two', reader)
    await haveAllLooked()
    expect(await mailsOf(reader)).toBe(1)
  })

  test('is not written into the audit, and of a stranger it is nothing', async () => {
    const { tenant, givenReader, assign } = await givenTenant()
    const reader = await givenReader()
    await assign('One', reader)
    const [mail] = await host.mailsTo(reader.address)
    await stop(keyIn(mail!.headers))
    const [row] = await world.look.rows(
      `select path, user_id::float8 from audit_operations where route like '/mail/unsubscribe%' and tenant_id = $1`,
      [tenant.id],
    )
    expect(row).toEqual({ path: '/mail/unsubscribe/:key', user_id: reader.id })

    for (const url of ['x', 's1.0123456789ab.AAAA', 'a'.repeat(300)].map((key) => `/mail/unsubscribe/${key}`))
      expect([(await stop(url)).statusCode, (await world.app.inject({ url })).statusCode]).toEqual([404, 404])
  })
})
