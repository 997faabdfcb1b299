import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { PLUGIN_NAMES } from '../../src/load-domains.ts'
import { atrium, type Surroundings } from '../support/cli.ts'
import { atriumHere } from '../support/cli-here.ts'
import { createDatabase } from '../support/database.ts'
import { newFolder } from '../support/folder.ts'
import { until } from '../support/patience.ts'
import { isHere } from '../support/plugins.ts'
import { openWorld } from '../support/world.ts'

/** The words, the streams and the exit codes of real processes; what commands do is tested in this process. */
const world = await openWorld()
const dir = newFolder()

/** On the world's database. */
const there = ({ env, ...more }: Surroundings = {}) => ({ env: { DATABASE_URL: world.databaseUrl, ...env }, ...more })
const here = (words: string, more?: Surroundings) => atriumHere(words, there(more))

interface Wanted {
  code?: number
  out?: string | RegExp
  err?: string | RegExp
}
/** A text as a whole, or a part of it that matches. */
const like = (text: string | RegExp = /^/) => (typeof text === 'string' ? text : expect.stringMatching(text))
const expectSaid = (said: object, { code = 0, out, err }: Wanted) =>
  expect(said).toMatchObject({ code, out: like(out), err: like(err) })
const expectHere = async (words: string, wanted: Wanted, more?: Surroundings) =>
  expectSaid(await here(words, more), wanted)

/** What the commands have left in the audit of a tenant. */
const audited = async (tenantId: number) => {
  const sql = `select path from audit_operations where method = 'CLI' and tenant_id = $1 order by id`
  return (await world.look.rows(sql, [tenantId])).map(({ path }) => path)
}
const signIn = (username: string, password: string, tenantCode = 'default') =>
  world.anyone.post('/auth/login', { username, password, tenantCode })

describe('the command line', () => {
  test('explains itself, and does not guess what else could be meant', async () => {
    const [help, wrong] = await Promise.all([atrium('tenant create --help'), atrium('tenant disable')])

    expectSaid(help, { out: /atrium tenant create CODE .*--admin-email EMAIL/s })
    expectSaid(wrong, { code: 2, out: '', err: /takes CODE\.\nSee: atrium tenant disable --help\n$/ })
  })

  test('needs only the database in production, says in a sentence that it is away, and seeds no demo', async () => {
    const said = (words: string, env: Record<string, string>) => atriumHere(words, { env })
    const needed = 'The configuration is not valid:\n  DATABASE_URL: production needs it\n'
    const away = { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/nothing' }
    const refused = /^connect ECONNREFUSED 127\.0\.0\.1:1\.\n$/
    expectSaid(await said('tenant list', { NODE_ENV: 'production' }), { code: 1, err: needed })
    expectSaid(await said('tenant list', away), { code: 1, out: '', err: refused })
    await expectHere('seed', { code: 1, err: /not for production/ }, { env: { NODE_ENV: 'production' } })
  })
})

test('a new database is migrated, given its first administrator, and then has no other first', async () => {
  const env = { DATABASE_URL: await createDatabase() }
  const expectThere = async (words: string, wanted: Wanted, more: object = {}, stdin = '') =>
    expectSaid(await atriumHere(words, { env: { ...env, ...more }, stdin }), wanted)

  const before = await atriumHere('migrate status --json', { env })
  expect(before.code).toBe(1)
  expect(new Set(before.json().map(({ state }: any) => state))).toEqual(new Set(['missing']))
  await expectThere('tenant list', { code: 1, err: /migrate status/ })
  await expectThere('migrate up', { out: /0001_/ })
  await expectThere('migrate up', { out: /Nothing to do/ })
  await expectThere('migrate status', { out: /applied / })
  await expectThere('tenant disable acme', { code: 1, err: /There is no tenant yet/ })
  await expectThere('admin create', { out: /The first tenant was made/ }, { ADMIN_PASSWORD: 'by the environment' })
  await expectThere('admin create', { code: 1, err: /USERNAME_TAKEN/ }, {}, 'a second password')
  const { json } = await atriumHere('tenant list --json', { env })
  expect(json()).toMatchObject([{ id: 1, code: 'default', status: 'active' }])
})

describe('administrators', () => {
  test('are made with a password from a file, in the tenant that is named, and audited as the system', async () => {
    const { code, id } = await world.givenTenant()
    const file = join(dir, 'password')
    writeFileSync(file, 'a password in a file\n')

    const who = '--username olga --email olga@example.com'
    const made = { out: `olga is now an administrator of ${code}.\n` }
    await expectHere(`admin create --tenant ${code} ${who} --password-file ${file}`, made)
    ;(await signIn('olga', 'a password in a file', code)).expect(200)
    const rows = await world.look.rows(
      `select user_id, username, path, status, user_agent from audit_operations where method = 'CLI' and tenant_id = $1`,
      [id],
    )
    const row = { user_id: null, username: 'system', path: 'atrium admin create', status: 200 }
    expect(rows).toEqual([{ ...row, user_agent: expect.stringContaining('@') }])
  })

  test('get a new password that ends their sessions, and nobody sees it', async () => {
    const tenant = await world.givenTenant()
    const boss = tenant.administrator
    await world.as(boss).read('/auth/me')

    const stdin = 'piped in and secret\nrest'
    const said = await atrium(`admin passwd --tenant ${tenant.code} --username boss`, there({ stdin }))

    expectSaid(said, { err: '' })
    expect(said.out).not.toContain('secret')
    ;(await signIn('boss', 'piped in and secret', tenant.code)).expect(200)
    await until(async () => (await world.as(boss).get('/auth/me')).expect(401, 'UNAUTHENTICATED'))
    expect(await audited(tenant.id)).toEqual(['atrium admin passwd'])
  })

  test('who are disabled, or are administrators no longer, are let in again, and told truthfully', async () => {
    const { code, id } = await world.givenTenant()
    const person = await world.givenUser({ id })
    const named = `--tenant ${code} --username ${person.username}`
    await world.look.rows(`update users set status = 'disabled' where id = $1`, [person.id])

    const stdin = 'long enough for anybody'
    await expectHere(`admin passwd ${named}`, { err: new RegExp(`atrium admin restore ${named}`) }, { stdin })
    ;(await signIn(person.username, stdin, code)).expect(401)
    for (const _ of ['once', 'again'])
      await expectHere(`admin restore ${named}`, { out: `${person.username} is an active administrator of ${code}.\n` })

    const { accessToken: token } = (await signIn(person.username, stdin, code)).expect(200)
    const me = await world.anyone.get('/auth/me', { authorization: `Bearer ${token}` })
    expect(me.expect(200).roles).toEqual(['tenant-admin', 'user'])
  })

  test.each([
    ['admin restore --username nobody', '', 1, 'User not found (NOT_FOUND).\n'],
    ['admin passwd --username nobody', 'long enough for anybody', 1, 'User not found (NOT_FOUND).\n'],
    ['admin passwd --tenant nowhere', 'long enough for anybody', 1, /There is no tenant nowhere/],
    ['admin passwd', '', 1, /No password was given/],
    ['admin passwd', 'short', 2, /10 to 128 characters/],
    ['admin passwd', '1234567890', 2, /tried first/],
    ['admin create --username somebody.else', 'Somebody.Else', 1, /must not be the user name/],
  ])(
    'that are not there, and passwords that are none, change nothing: %s, with %j',
    async (words, stdin, code, err) => {
      await expectHere(words, { code, err }, { stdin })
    },
  )
})

describe('tenants', () => {
  test('are made whole, listed, closed and opened again', async () => {
    const words = '--name Umbra --plan gold --expires 2099-01-01T00:00:00Z --admin-email a@example.com'
    const made = { out: 'Tenant umbra was made. admin is its administrator.\n' }
    await expectHere(`tenant create umbra ${words}`, made, { stdin: 'the password of umbra' })
    const { accessToken: token } = (await signIn('admin', 'the password of umbra', 'umbra')).expect(200)
    const lookIn = () => world.anyone.get('/organizations/current', { authorization: `Bearer ${token}` })
    ;(await lookIn()).expect(200)

    const line = /^ {2}umbra +active, gold, until 2099-01-01T00:00:00.000Z: Umbra$/m
    await expectHere('tenant list', { out: line })
    await expectHere('tenant disable umbra', { out: 'Tenant umbra is disabled.\n' })
    await until(async () => (await lookIn()).expect(403, 'TENANT_DISABLED'))
    await expectHere('tenant enable umbra', {})
    await until(async () => (await lookIn()).expect(200))

    expect(await audited(1)).toEqual(['create', 'disable', 'enable'].map((verb) => `atrium tenant ${verb}`))
  })

  test('are renewed by an order that was paid, once, and by the period of their plan', async () => {
    const env = { RENEWALS: JSON.stringify({ team: { amountCents: 29_900, days: 30 } }) }
    const tenant = await world.givenTenant()
    const { id, code, administrator } = tenant
    await world.givenPrices(tenant)
    const terms = { plan: 'team', expiredAt: '2098-01-01T00:00:00.000Z' }
    ;(await world.as(world.admin).put(`/tenants/${id}`, terms)).expect(200)
    const bought = await world.as(administrator).post('/payments/checkout', { planId: 2, channel: 'card' })
    const { orderNo } = bought.expect(201)
    await world.look.rows('update payment_orders set renewal_days = 31 where order_no = $1', [orderNo])

    const renewed = { out: `Tenant ${code} runs until 2098-02-01T00:00:00.000Z.\n` }
    await expectHere(`tenant renew ${code} --order ${orderNo}`, renewed)
    await expectHere(`tenant renew ${code} --order ${orderNo}`, { ...renewed, err: /was paid before/ })
    await expectHere(`tenant renew ${code}`, { out: `Tenant ${code} runs until 2098-03-03T00:00:00.000Z.\n` }, { env })
    await expectHere(`tenant renew ${code}`, { code: 1, err: /RENEWALS/ })
    await expectHere(`tenant renew ${code} --order FV0`, { code: 1 })

    expect(await audited(id)).toEqual(Array(3).fill('atrium tenant renew'))
  })

  test('are closed, and taken back until they are erased', async () => {
    const { code, administrator } = await world.givenTenant()
    const me = () => world.as(administrator).get('/auth/me')

    await expectHere(`tenant erase ${code}`, { out: new RegExp(`${code} is closed. It will be erased on `) })
    await until(async () => (await me()).expect(403, 'TENANT_DISABLED'))
    await expectHere(`tenant erase ${code} --undo`, { out: `${code} is active again.\n` })
    await until(async () => (await me()).expect(200))
    await expectHere(`tenant erase ${code} --undo`, { code: 1 })
    await expectHere('tenant erase default', { code: 1 })
  })

  test('are held to the rules of the service', async () => {
    const stdin = 'long enough for anybody'
    const { code } = await world.givenTenant()
    const wrong = { code: 2, err: /^CODE: must be 3 to 64 .*\n--admin-email: / }
    await expectHere('tenant create X --admin-email nobody', wrong, { stdin })
    await expectHere(
      `tenant create ${code} --admin-email a@example.com`,
      { code: 1, err: /TENANT_CODE_TAKEN/ },
      { stdin },
    )
    await expectHere('tenant disable default', { code: 1, err: /RESERVED/ })
  })
})

describe('a tenant that is closed', () => {
  test('as the first one is opened again, whatever closed it', async () => {
    await world.look.rows(`update tenants set status = 'disabled', expired_at = '2001-01-01' where id = 1`)
    await until(async () => (await world.anyone.get('/public/home')).expect(403, 'TENANT_DISABLED'))

    await expectHere('tenant enable default', { out: 'Tenant default is active.\n' })

    await until(() => world.anyone.read('/public/home'))
  })

  test('because it has expired is opened with more time, and said to be closed without', async () => {
    const { code, id } = await world.givenTenant()
    await world.look.rows(`update tenants set status = 'disabled', expired_at = '2001-01-01' where id = $1`, [id])
    const enable = `tenant enable ${code}`

    await expectHere(enable, {
      code: 1,
      out: `Tenant ${code} is active but expired 2001-01-01T00:00:00.000Z.\n`,
      err: new RegExp(`Only its administrators can sign in, to pay.*atrium ${enable} --expires`),
    })
    const only = new RegExp(`only administrators can sign in, and only to pay: atrium ${enable}`)
    await expectHere(`admin passwd --tenant ${code} --username boss`, { err: only }, { stdin: 'long enough for all' })
    await expectHere(`${enable} --expires soon`, { code: 2 })
    const open = `Tenant ${code} is active`
    await expectHere(`${enable} --expires 2999-01-01T00:00:00Z`, { out: `${open} until 2999-01-01T00:00:00.000Z.\n` })
    await expectHere(`${enable} --expires never`, { out: `${open}.\n` })
  })
})

describe('the rest', () => {
  test('the OpenAPI document is printed or written, without a database', async () => {
    const file = join(dir, 'openapi.json')
    const [printed, written] = await Promise.all([atrium('openapi'), atriumHere(`openapi --out ${file}`)])

    expect(printed.out).toBe((await world.app.inject('/openapi.json')).body)
    expectSaid(written, { out: '' })
    expect(readFileSync(file, 'utf8')).toBe(printed.out)
  })

  test('each plug-in is shown with what it is for, and whether it is on', async () => {
    const [all, none] = [await atriumHere('plugins --json'), await atriumHere('plugins', { env: { PLUGINS: 'none' } })]

    expect(all.json()).toEqual(PLUGIN_NAMES.map((name) => expect.objectContaining({ name, on: true })))
    for (const name of PLUGIN_NAMES) expect(none.out).toMatch(new RegExp(`^off {2}${name} +\\w`, 'm'))
  })

  test.skipIf(!isHere('account'))('a variable of a plug-in that is brought along counts', async () => {
    const env = { PLUGINS: 'account', MAIL_CONNECTIONS: 'many' }
    expectSaid(await atriumHere('config', { env }), { code: 1, err: /MAIL_CONNECTIONS: must be a whole number/ })
    const doctor = await atriumHere('doctor', { env })
    expectSaid(doctor, { code: 1, out: /^FAIL {2}configuration +MAIL_CONNECTIONS: must be a whole number$/m })
    expectSaid(await atriumHere('config', { env: { ...env, PLUGINS: 'none' } }), { code: 0 })
  })

  test('the configuration is shown without its secrets', async () => {
    const canary = 'canary-5fb1c2'
    const file = join(dir, 'jwt')
    writeFileSync(file, `${canary}-and-thirty-two-characters`)
    const env = {
      DATABASE_URL: `postgres://atrium:${canary}@db/atrium?sslpassword=${canary}`,
      REDIS_URL: `redis://:${canary}@cache`,
      JWT_SECRET_FILE: file,
      ADMIN_PASSWORD: canary,
      DATABSE_URL: `postgres://${canary}@elsewhere`,
    }

    const table = await atriumHere('config', { env })

    expect(`${table.out}${table.err}`).not.toContain(canary)
    expectSaid(table, { err: /DATABSE_URL is not read; was DATABASE_URL meant\?/ })
    for (const line of [
      /^ {2}DATABASE_URL +postgres:\/\/atrium:\*\*\*@db\/atrium\?sslpassword=\*\*\* +environment$/m,
      /^ {2}JWT_SECRET +\*\*\* +file$/m,
      /^ {2}PORT +8080 +default$/m,
    ])
      expect(table.out).toMatch(line)
  })

  test('a configuration that would stop the start is reported with all its problems', async () => {
    const said = await atriumHere('config --json', { env: { PORT: 'eighty', S3_BUCKET: 'x', DATABSE_URL: 'x' } })

    const shown = { name: 'S3_BUCKET', shown: 'x', source: 'environment' }
    const found = { problem: expect.stringMatching(/PORT: .*\n {2}S3_BUCKET: /), strays: ['DATABSE_URL'] }
    expect([said.code, said.json()]).toMatchObject([1, { ...found, values: expect.arrayContaining([shown]) }])
  })
})
