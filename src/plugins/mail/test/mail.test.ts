import { beforeEach, describe, expect, test } from 'vitest'
import { atriumHere } from '#test/cli-here.ts'
import { until } from '#test/patience.ts'
import { isHere } from '#test/plugins.ts'
import { openMailhost } from '#test/smtp.ts'
import { openWorld, type Tenant } from '#test/world.ts'

let tenant: Tenant
const host = await openMailhost()
const world = await openWorld({ env: { MAIL_URL: host.url, MAIL_FROM: 'Example <no-reply@example.com>' } })
beforeEach(async () => {
  tenant = await world.givenTenant()
  host.refuse = () => undefined
  host.beforeYes = () => {}
})

let counter = 0
const newAddress = () => `person-${++counter}@example.org`
const listed = async (status = '') =>
  (await world.as(tenant.administrator).get(`/mails${status && `?status=${status}`}`)).expect(200)
const retry = (id: number) => world.as(tenant.administrator).post(`/mails/${id}/retry`)

/** The mail to an address, once the list shows it in this state. */
const listedAs = (status: string, to: string) =>
  until(async () => {
    const found = (await listed(status)).find(({ recipient }: any) => recipient === to)
    if (!found) throw new Error(`no mail to ${to} became ${status}: ${JSON.stringify(await listed())}`)
    return found
  })
/** An attempt has failed for now, and the next one is not soon. */
async function putOff(to: string) {
  await until(async () => Boolean((await listedAs('waiting', to)).lastError?.includes('451')))
  await world.look.rows(`update mails set due_at = now() + interval '1 hour' where recipient = $1`, [to])
}

describe('a mail', () => {
  test('leaves after its commit, as text and HTML in the language of its reader', async () => {
    const to = newAddress()
    await world.sendMail(tenant, { to, locale: 'zh-CN' })

    const [mail] = await host.mailsTo(to)
    expect(mail).toMatchObject({
      subject: '邮件设置测试',
      from: { name: 'Example', address: 'no-reply@example.com' },
      to: [{ address: to }],
    })
    expect(mail!.text).toContain('系统可以发送邮件')
    expect(mail!.html).toContain('<html lang="zh-CN"')
    expect(mail!.headers).toContainEqual(expect.objectContaining({ key: 'auto-submitted', value: 'auto-generated' }))
    expect(await listedAs('sent', to)).toMatchObject({ kind: 'MAIL_TEST', attempts: 1, lastError: null })
  })

  test('is encrypted while it waits, and what it said is gone once it is sent', async () => {
    const waiting = Promise.withResolvers<void>()
    const to = newAddress()
    host.beforeYes = () => waiting.promise
    await world.sendMail(tenant, { to })
    const stored = () => world.look.rows('select sealed from mails where recipient = $1', [to])
    expect((await stored())[0]!.sealed).toMatch(/^s1\./)

    waiting.resolve()
    await listedAs('sent', to)
    expect(await stored()).toEqual([{ sealed: null }])
  })
})

describe('a mail that the server refuses', () => {
  test('for good is dead at once, says why, and can be tried again', async () => {
    const to = newAddress()
    host.refuse = (address) => (address === to ? 550 : undefined)
    await world.sendMail(tenant, { to })

    const dead = await listedAs('dead', to)
    expect(dead).toMatchObject({ attempts: 1, lastError: expect.stringContaining('550') })
    if (isHere('invitations')) {
      const made = (await world.as(tenant.administrator).post('/invitations', { email: to })).expect(201)
      await until(async () => {
        const [invitation] = (await world.as(tenant.administrator).get('/invitations')).expect(200)
        return invitation.id === made.id && invitation.mailStatus === 'dead'
      })
    }

    host.refuse = () => undefined
    expect((await retry(dead.id)).expect(200)).toMatchObject({ id: dead.id, status: 'waiting', attempts: 0 })
    await host.mailsTo(to)
    await listedAs('sent', to)
    ;(await retry(dead.id)).expect(409, 'MAIL_NOT_DEAD')
  })

  test('for now waits and is tried again soon if an administrator asks, under the same Message-ID', async () => {
    const to = newAddress()
    host.refuse = (address) => (address === to ? 451 : undefined)
    await world.sendMail(tenant, { to })
    await putOff(to)
    expect(await listed('waiting')).toEqual([expect.objectContaining({ attempts: 1, recipient: to })])

    host.refuse = () => undefined
    const [row] = await world.look.rows<any>('select id::float8, key from mails where recipient = $1', [to])
    expect((await retry(row.id)).expect(200)).toMatchObject({ id: row.id, status: 'waiting', attempts: 1 })
    await host.mailsTo(to)
    const messages = host.delivered.filter((mail) => mail.to === to).map(({ messageId }) => messageId)
    expect(messages).toEqual([`<${row.key}@example.com>`])
  })

  test('is given up after a day', async () => {
    const to = newAddress()
    host.refuse = (address) => (address === to ? 451 : undefined)
    await world.sendMail(tenant, { to })
    await putOff(to)
    await world.look.rows(`update mails set due_at = now(), give_up_at = now() where recipient = $1`, [to])
    await world.sendMail(tenant)

    expect(await listedAs('dead', to)).toMatchObject({ lastError: expect.stringContaining('451') })
  })
})

test('a slow receiver of one tenant holds up neither another tenant nor the answer', async () => {
  const other = await world.givenTenant()
  const waiting = Promise.withResolvers<void>()
  host.beforeYes = (to) => (to.startsWith('slow') ? waiting.promise : undefined)
  for (let n = 0; n < 20; n++) await world.sendMail(tenant, { to: `slow-${n}@example.org` })

  const to = newAddress()
  await world.sendMail(other, { to })
  await host.mailsTo(to)
  expect(host.delivered.filter((mail) => mail.to.startsWith('slow'))).toEqual([])

  waiting.resolve()
  await host.mailsTo('slow-19@example.org')
})

test('a person who is disabled before their mail leaves does not get it', async () => {
  const to = newAddress()
  const person = await world.givenUser(tenant)
  await world.look.rows(`update users set status = 'disabled' where tenant_id = $1 and id = $2`, [tenant.id, person.id])
  await world.sendMail(tenant, { to, userId: person.id })
  await expect.poll(() => listed()).toEqual([])
  expect(host.delivered.filter((mail) => mail.to === to)).toEqual([])
})

describe('atrium mail test', () => {
  const run = (address: string, url = host.url) =>
    atriumHere(`mail test ${address}`, { env: { MAIL_URL: url, MAIL_FROM: 'no-reply@example.com' } })

  test('sends a mail past the outbox, and says so', async () => {
    const to = newAddress()
    expect(await run(to)).toMatchObject({ code: 0, out: `The mail server took a mail to ${to}.\n` })
    expect((await host.mailsTo(to))[0]!.subject).toBe('A test of your mail settings')
  })

  test('says what the server says, and what is missing', async () => {
    const to = newAddress()
    host.refuse = () => 550
    expect(await run(to)).toMatchObject({ code: 1, err: expect.stringContaining('550 refused') })
    expect(await run(to, '')).toMatchObject({ code: 1, err: expect.stringContaining('MAIL_URL is not set') })
    expect(await run('nobody')).toMatchObject({ code: 2, err: expect.stringContaining('is not an e-mail address') })
  })
})
