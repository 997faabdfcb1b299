import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { inTime } from '../support/patience.ts'
import { isOnCluster } from '../support/servers.ts'
import { type Mailhost, openMailhost } from '../support/smtp.ts'
import { openWorld, type Person, type Tenant, type World } from '../support/world.ts'

const PUBLIC_URL = 'https://atrium.example.com'
let host: Mailhost
let world: World
let tenant: Tenant
let boss: Person
let project: { id: number }
beforeAll(async () => {
  host = await openMailhost()
  world = await openWorld({ env: { MAIL_URL: host.url, MAIL_FROM: 'no-reply@example.com', PUBLIC_URL } })
  // As on a cluster, where each node draws its own ids.
  const ids = (await world.look.rows(`select pg_get_serial_sequence('notifications', 'id') as name`))[0]!.name
  if (!isOnCluster(world.databaseUrl)) await world.look.rows(`alter sequence ${ids} increment by 1024`)
})
afterAll(async () => {
  await world?.close()
  await host?.close()
})
beforeEach(async () => {
  tenant = await world.givenTenant()
  boss = tenant.administrator
  project = await world.givenProject(boss)
})

let counter = 0
/** A member of the project with an address, verified unless told otherwise, who has the news of being a member. */
async function givenReader(wishes: object = {}, isVerified = true): Promise<Person & { address: string }> {
  const person = await world.givenUser(tenant)
  const address = `reader-${++counter}@example.org`
  if (Object.keys(wishes).length) (await world.as(person).put('/users/me', wishes)).expect(200)
  await world.givenMember(boss, project, person)
  for (const end = Date.now() + inTime(10_000); Date.now() < end; await sleep(20))
    if ((await world.as(person).get('/notifications')).expect(200).length) break
  // Nobody had an address when they became a member.
  await sleep(400)
  await world.look.rows('update users set email = $1, email_verified_at = $2 where id = $3', [
    address,
    isVerified ? new Date() : null,
    person.id,
  ])
  return { ...person, address }
}
const assign = (title: string, { id }: { id: number }) => world.givenTask(boss, project, { title, assigneeId: id })
const mailsTo = ({ address }: { address: string }) => host.delivered.filter(({ to }) => to === address)
const keyIn = (headers: { key: string; value: string }[]) => {
  const { value } = headers.find(({ key }) => key === 'list-unsubscribe')!
  return /^<(.+)>$/.exec(value)![1]!.slice(PUBLIC_URL.length)
}
const ONE_CLICK = { 'content-type': 'application/x-www-form-urlencoded' }
const stop = (url: string) =>
  world.app.inject({ method: 'POST', url, payload: 'List-Unsubscribe=One-Click', headers: ONE_CLICK })

describe('news', () => {
  test('go by mail to a verified address, in the language of the person, and nothing in it is HTML but ours', async () => {
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
    const reader = await givenReader()
    await Promise.all([1, 2, 3].map((n) => assign(`Job ${n}`, reader)))
    const jobs = async () => {
      const mails = await host.mailsTo(reader.address)
      return { mails: mails.length, told: mails.flatMap(({ text }) => text!.match(/You were assigned Job \d/g) ?? []) }
    }
    // The first look may come between two of them.
    for (const end = Date.now() + inTime(10_000); Date.now() < end && (await jobs()).told.length < 3; ) await sleep(20)
    const { mails, told } = await jobs()
    expect(told.sort()).toEqual([1, 2, 3].map((n) => `You were assigned Job ${n}`))
    expect(mails).toBeLessThan(3)
  })

  test.each([
    ['whose address is not verified', {}, false],
    ['who wants none', { mail: 'never' }, true],
  ])('do not go by mail to a person %s', async (_, wishes, isVerified) => {
    const [without, reader] = [await givenReader(wishes, isVerified), await givenReader()]
    await assign('Hidden', without)
    await assign('Shown', reader)
    await host.mailsTo(reader.address)
    expect(mailsTo(without)).toEqual([])
  })

  test('do not go to who was disabled or deleted since', async () => {
    const [disabled, deleted, reader] = [await givenReader(), await givenReader(), await givenReader()]
    for (const person of [disabled, deleted]) {
      const task = await assign('Waits', person)
      await host.mailsTo(person.address)
      ;(await world.as(boss).put(`/tasks/${task.id}`, { assigneeId: null, version: 0 })).expect(200)
    }
    ;(await world.as(boss).put(`/users/${disabled.id}`, { status: 'disabled' })).expect(200)
    ;(await world.as(boss).delete(`/projects/${project.id}/members/${deleted.id}`)).expect(200)
    const before = mailsTo(deleted).length
    ;(await world.as(boss).delete(`/users/${deleted.id}`)).expect(200)
    expect(await world.look.rows('select recipient from mails where user_id = $1', [deleted.id])).toEqual([])
    await assign('Shown', reader)
    await host.mailsTo(reader.address)
    expect([mailsTo(disabled).length, mailsTo(deleted).length]).toEqual([1, before])
  })
})

describe('daily news', () => {
  const due = async ({ id }: Person) =>
    (await world.look.rows(`select due_at from mail_digests where user_id = $1`, [id]))[0]?.due_at as Date | undefined

  test('wait for the next morning of the person, and are one mail without what they have read', async () => {
    const reader = await givenReader({ mail: 'daily', timeZone: 'Asia/Shanghai' })
    for (const title of ['First', 'Second', 'Third']) await assign(title, reader)
    for (const end = Date.now() + inTime(10_000); Date.now() < end && !(await due(reader)); ) await sleep(20)
    const morning = (await due(reader))!
    expect(morning.toISOString()).toMatch(/T00:10:00.000Z$/)
    expect(morning.getTime() - Date.now()).toBeLessThanOrEqual(86_400_000)
    // The first look may come between two of them.
    const isWhole = async () => {
      const [newest] = (await world.as(reader).get('/notifications')).expect(200)
      const [digest] = await world.look.rows(`select news_to from mail_digests where user_id = $1`, [reader.id])
      return newest.title.includes('Third') && Number(digest!.news_to) >= newest.id
    }
    for (const end = Date.now() + inTime(10_000); Date.now() < end && !(await isWhole()); ) await sleep(20)

    const [newest] = (await world.as(reader).get('/notifications')).expect(200)
    ;(await world.as(reader).put(`/notifications/${newest.id}/read`)).expect(200)
    expect(mailsTo(reader)).toEqual([])
    await world.look.rows('update mail_digests set due_at = now() where user_id = $1', [reader.id])

    const [mail] = await host.mailsTo(reader.address)
    expect(mail!.subject).toBe('2 new notifications')
    expect(mail!.text).toContain('You were assigned First')
    expect(mail!.text).toContain('You were assigned Second')
    expect(mail!.text).not.toContain('Third')
    expect(mail!.text).toContain('GMT+8')
    expect(await due(reader)).toBeUndefined()
  })

  test('of which all were read by then are no mail', async () => {
    const reader = await givenReader({ mail: 'daily' })
    await assign('Read', reader)
    for (const end = Date.now() + inTime(10_000); Date.now() < end && !(await due(reader)); ) await sleep(20)
    ;(await world.as(reader).put('/notifications/read-all')).expect(200)
    await world.look.rows('update mail_digests set due_at = now() where user_id = $1', [reader.id])
    for (const end = Date.now() + inTime(10_000); Date.now() < end && (await due(reader)); ) await sleep(20)
    const other = await givenReader()
    await assign('Shown', other)
    await host.mailsTo(other.address)
    expect(mailsTo(reader)).toEqual([])
  })
})

describe('the link that stops them', () => {
  test('shows a page that changes nothing, and one click stops them, without a sign-in', async () => {
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
    expect((await stop(url)).statusCode).toBe(200)
    await assign('Two', reader)
    const other = await givenReader()
    await assign('Shown', other)
    await host.mailsTo(other.address)
    expect(mailsTo(reader)).toHaveLength(1)
  })

  test('is not written into the audit, and of a stranger it is nothing', async () => {
    const reader = await givenReader()
    await assign('One', reader)
    const [mail] = await host.mailsTo(reader.address)
    await stop(keyIn(mail!.headers))
    const [row] = await world.look.rows(
      `select path, user_id::float8 from audit_operations where route like '/mail/unsubscribe%' and tenant_id = $1`,
      [tenant.id],
    )
    expect(row).toEqual({ path: '/mail/unsubscribe/:key', user_id: reader.id })

    for (const key of ['x', 's1.0123456789ab.AAAA', 'a'.repeat(300)]) {
      expect((await stop(`/mail/unsubscribe/${key}`)).statusCode).toBe(404)
      expect((await world.app.inject({ url: `/mail/unsubscribe/${key}` })).statusCode).toBe(404)
    }
  })
})
