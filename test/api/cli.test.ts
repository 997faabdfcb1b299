import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { PLUGIN_NAMES } from '../../src/load-domains.ts'
import { atrium, type Surroundings } from '../support/cli.ts'
import { atriumHere } from '../support/cli-here.ts'
import { createDatabase } from '../support/database.ts'
import { until } from '../support/patience.ts'
import { openWorld, type World } from '../support/world.ts'

/** The words, the streams and the exit codes of real processes; what commands do is tested in this process. */
let world: World
const dir = mkdtempSync(join(tmpdir(), 'atrium-cli-'))
beforeAll(async () => {
  world = await openWorld()
})
afterAll(async () => {
  await world?.close()
  rmSync(dir, { recursive: true })
})

/** On the world's database. */
const there = ({ env, ...more }: Surroundings = {}) => ({ env: { DATABASE_URL: world.databaseUrl, ...env }, ...more })
const here = (words: string, more?: Surroundings) => atriumHere(words, there(more))

const signIn = (username: string, password: string, tenantCode = 'default') =>
  world.anyone.post('/auth/login', { username, password, tenantCode })

describe('the command line', () => {
  test('explains itself, and does not guess what else could be meant', async () => {
    const [help, wrong] = await Promise.all([atrium('tenant create --help'), atrium('tenant disable')])

    expect(help).toMatchObject({
      code: 0,
      out: expect.stringMatching(/atrium tenant create CODE .*--admin-email EMAIL/s),
    })
    expect(wrong).toMatchObject({
      code: 2,
      out: '',
      err: expect.stringMatching(/takes CODE\.\nSee: atrium tenant disable --help\n$/),
    })
  })

  test('says in a sentence that the database is away', async () => {
    const said = await atriumHere('tenant list', { env: { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/nothing' } })

    expect(said).toMatchObject({
      code: 1,
      out: '',
      err: expect.stringMatching(/^connect ECONNREFUSED 127\.0\.0\.1:1\.\n$/),
    })
  })

  test('needs of what production needs only the database', async () => {
    expect(await atriumHere('tenant list', { env: { NODE_ENV: 'production' } })).toMatchObject({
      code: 1,
      err: 'The configuration is not valid:\n  DATABASE_URL: production needs it\n',
    })
  })
})

describe('a new database', () => {
  test('is migrated, given its first administrator, and then has no other first', async () => {
    const env = { DATABASE_URL: await createDatabase() }

    const before = await atriumHere('migrate status --json', { env })
    expect(before.code).toBe(1)
    expect(new Set(before.json().map(({ state }: any) => state))).toEqual(new Set(['missing']))
    expect(await atriumHere('tenant list', { env })).toMatchObject({
      code: 1,
      err: expect.stringContaining('migrate status'),
    })

    expect(await atrium('migrate up', { env })).toMatchObject({ code: 0, out: expect.stringContaining('0001_') })
    expect(await atriumHere('migrate up', { env })).toMatchObject({
      code: 0,
      out: expect.stringContaining('Nothing to do'),
    })
    expect(await atriumHere('migrate status', { env })).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^applied /),
    })

    expect(await atriumHere('tenant disable acme', { env })).toMatchObject({
      code: 1,
      err: expect.stringContaining('There is no tenant yet'),
    })
    const first = await atriumHere('admin create', { env: { ...env, ADMIN_PASSWORD: 'by the environment' } })
    expect(first).toMatchObject({ code: 0, out: expect.stringContaining('The first tenant was made') })
    expect(await atriumHere('admin create', { env, stdin: 'a second password' })).toMatchObject({
      code: 1,
      err: expect.stringContaining('USERNAME_TAKEN'),
    })
    const { json } = await atriumHere('tenant list --json', { env })
    expect(json()).toMatchObject([{ id: 1, code: 'default', status: 'active' }])
  })
})

describe('administrators', () => {
  test('are made with a password from a file, in the tenant that is named, and audited as the system', async () => {
    const { code, id } = await world.givenTenant()
    const file = join(dir, 'password')
    writeFileSync(file, 'a password in a file\n')

    const said = await here(
      `admin create --tenant ${code} --username olga --email olga@example.com --password-file ${file}`,
    )

    expect(said).toMatchObject({ code: 0, out: `olga is now an administrator of ${code}.\n` })
    ;(await signIn('olga', 'a password in a file', code)).expect(200)
    const rows = await world.look.rows(
      `select tenant_id, user_id, username, method, path, status, user_agent from audit_operations where method = 'CLI' and tenant_id = $1`,
      [id],
    )
    expect(rows).toEqual([
      expect.objectContaining({
        user_id: null,
        username: 'system',
        path: 'atrium admin create',
        status: 200,
        user_agent: expect.stringContaining('@'),
      }),
    ])
  })

  test('get a new password that ends their sessions, and nobody sees it', async () => {
    const tenant = await world.givenTenant()
    const boss = tenant.administrator
    ;(await world.as(boss).get('/auth/me')).expect(200)

    const stdin = 'piped in and secret\nrest'
    const said = await atrium(`admin passwd --tenant ${tenant.code} --username boss`, there({ stdin }))

    expect(said).toMatchObject({ code: 0, err: '' })
    expect(`${said.out}${said.err}`).not.toContain('secret')
    ;(await signIn('boss', 'piped in and secret', tenant.code)).expect(200)
    await until(async () => (await world.as(boss).get('/auth/me')).expect(401, 'UNAUTHENTICATED'))
    const rows = await world.look.rows(`select path from audit_operations where method = 'CLI' and tenant_id = $1`, [
      tenant.id,
    ])
    expect(rows).toEqual([{ path: 'atrium admin passwd' }])
  })

  test('who are disabled, or are administrators no longer, are let in again, and told truthfully', async () => {
    const { code, id } = await world.givenTenant()
    const person = await world.givenUser({ id })
    const named = `--tenant ${code} --username ${person.username}`
    await world.look.rows(`update users set status = 'disabled' where id = $1`, [person.id])

    const passwd = await here(`admin passwd ${named}`, { stdin: 'long enough for anybody' })
    expect(passwd).toMatchObject({ code: 0, err: expect.stringContaining(`atrium admin restore ${named}`) })
    ;(await signIn(person.username, 'long enough for anybody', code)).expect(401)
    const restored = await here(`admin restore ${named}`)
    expect(restored).toMatchObject({
      code: 0,
      out: `${person.username} is an active administrator of ${code}.\n`,
      err: '',
    })
    expect(await here(`admin restore ${named}`)).toMatchObject({ code: 0 })

    const { accessToken: token } = (await signIn(person.username, 'long enough for anybody', code)).expect(200)
    const me = await world.anyone.get('/auth/me', { authorization: `Bearer ${token}` })
    expect(me.expect(200).roles).toEqual(['tenant-admin', 'user'])
    expect(await here(`admin restore --tenant ${code} --username nobody`)).toMatchObject({
      code: 1,
      err: 'User not found (NOT_FOUND).\n',
    })
  })

  test('of a closed tenant learn that it is closed', async () => {
    const { code, id } = await world.givenTenant()
    await world.look.rows(`update tenants set expired_at = '2001-01-01' where id = $1`, [id])
    expect(await here(`admin passwd --tenant ${code} --username boss`, { stdin: 'long enough for all' })).toMatchObject(
      {
        code: 0,
        err: expect.stringContaining(`only administrators can sign in, and only to pay: atrium tenant enable ${code}`),
      },
    )
  })

  test('that are not there, and passwords that are none, change nothing', async () => {
    const stdin = 'long enough for anybody'
    const nobody = await here('admin passwd --username nobody', { stdin })
    const nowhere = await here('admin passwd --tenant nowhere', { stdin })
    const none = await here('admin passwd')
    const short = await here('admin passwd', { stdin: 'short' })
    const common = await here('admin passwd', { stdin: '1234567890' })
    const name = await here('admin create --username somebody.else', { stdin: 'Somebody.Else' })

    expect(nobody).toMatchObject({ code: 1, err: 'User not found (NOT_FOUND).\n' })
    expect(nowhere).toMatchObject({ code: 1, err: expect.stringContaining('There is no tenant nowhere') })
    expect(none).toMatchObject({ code: 1, err: expect.stringContaining('No password was given') })
    expect(short).toMatchObject({ code: 2, err: expect.stringContaining('10 to 128 characters') })
    expect(common).toMatchObject({ code: 2, err: expect.stringContaining('tried first') })
    expect(name).toMatchObject({ code: 1, err: expect.stringContaining('must not be the user name') })
  })
})

describe('tenants', () => {
  test('are made whole, listed, closed and opened again', async () => {
    const made = await here(
      'tenant create umbra --name Umbra --plan gold --expires 2099-01-01T00:00:00Z --admin-email a@example.com',
      {
        stdin: 'the password of umbra',
      },
    )
    expect(made).toMatchObject({ code: 0, out: 'Tenant umbra was made. admin is its administrator.\n' })
    const { accessToken: token } = (await signIn('admin', 'the password of umbra', 'umbra')).expect(200)
    const lookIn = () => world.anyone.get('/organizations/current', { authorization: `Bearer ${token}` })
    ;(await lookIn()).expect(200)

    expect((await here('tenant list')).out).toMatch(/^ {2}umbra +active, gold, until 2099-01-01T00:00:00.000Z: Umbra$/m)
    expect(await here('tenant disable umbra')).toMatchObject({ code: 0, out: 'Tenant umbra is disabled.\n' })
    await until(async () => (await lookIn()).expect(403, 'TENANT_DISABLED'))
    expect(await here('tenant enable umbra')).toMatchObject({ code: 0 })
    await until(async () => (await lookIn()).expect(200))

    const rows = await world.look.rows(
      `select path from audit_operations where method = 'CLI' and tenant_id = 1 order by id`,
    )
    expect(rows.map(({ path }) => path)).toEqual([
      'atrium tenant create',
      'atrium tenant disable',
      'atrium tenant enable',
    ])
  })

  test('are renewed by an order that was paid, once, and by the period of their plan', async () => {
    const env = { RENEWALS: JSON.stringify({ team: { amountCents: 29_900, days: 30 } }) }
    const { id, code, administrator } = await world.givenTenant()
    await world.givenPrices({ id, code, administrator })
    const terms = { plan: 'team', expiredAt: '2098-01-01T00:00:00.000Z' }
    ;(await world.as(world.admin).put(`/tenants/${id}`, terms)).expect(200)
    const bought = await world.as(administrator).post('/payments/checkout', { planId: 2, channel: 'card' })
    const { orderNo } = bought.expect(201)
    await world.look.rows('update payment_orders set renewal_days = 31 where order_no = $1', [orderNo])

    const renewed = { code: 0, out: `Tenant ${code} runs until 2098-02-01T00:00:00.000Z.\n` }
    expect(await here(`tenant renew ${code} --order ${orderNo}`)).toMatchObject(renewed)
    expect(await here(`tenant renew ${code} --order ${orderNo}`)).toMatchObject({
      ...renewed,
      err: expect.stringContaining('was paid before'),
    })
    const byPlan = await here(`tenant renew ${code}`, { env })
    expect(byPlan.out).toBe(`Tenant ${code} runs until 2098-03-03T00:00:00.000Z.\n`)
    expect(await here(`tenant renew ${code}`)).toMatchObject({ code: 1, err: expect.stringContaining('RENEWALS') })
    expect(await here(`tenant renew ${code} --order FV0`)).toMatchObject({ code: 1 })

    const rows = await world.look.rows(
      `select path from audit_operations where method = 'CLI' and tenant_id = $1 order by id`,
      [id],
    )
    expect(rows.map(({ path }) => path)).toEqual(Array(3).fill('atrium tenant renew'))
  })

  test('are held to the rules of the service', async () => {
    const stdin = 'long enough for anybody'
    const { code } = await world.givenTenant()
    const wrong = await here('tenant create X --admin-email nobody', { stdin })
    const taken = await here(`tenant create ${code} --admin-email a@example.com`, { stdin })
    const first = await here('tenant disable default')

    expect(wrong).toMatchObject({ code: 2, err: expect.stringMatching(/^CODE: must be 3 to 64 .*\n--admin-email: /) })
    expect(taken).toMatchObject({ code: 1, err: expect.stringContaining('TENANT_CODE_TAKEN') })
    expect(first).toMatchObject({ code: 1, err: expect.stringContaining('RESERVED') })
  })
})

describe('a tenant that is closed', () => {
  let own: World
  beforeAll(async () => {
    own = await openWorld()
  })
  afterAll(() => own?.close())
  const inIt = (words: string) => atriumHere(words, { env: { DATABASE_URL: own.databaseUrl } })

  test('as the first one is opened again, whatever closed it', async () => {
    await own.look.rows(`update tenants set status = 'disabled', expired_at = '2001-01-01' where id = 1`)
    ;(await own.anyone.get('/public/home')).expect(403, 'TENANT_DISABLED')

    expect(await inIt('tenant enable default')).toMatchObject({ code: 0, out: 'Tenant default is active.\n' })

    await until(async () => (await own.anyone.get('/public/home')).expect(200))
  })

  test('because it has expired is opened with more time, and said to be closed without', async () => {
    const { code, id } = await own.givenTenant()
    await own.look.rows(`update tenants set status = 'disabled', expired_at = '2001-01-01' where id = $1`, [id])

    expect(await inIt(`tenant enable ${code}`)).toMatchObject({
      code: 1,
      out: `Tenant ${code} is active but expired 2001-01-01T00:00:00.000Z.\n`,
      err: expect.stringMatching(`Only its administrators can sign in, to pay.*atrium tenant enable ${code} --expires`),
    })
    expect(await inIt(`tenant enable ${code} --expires soon`)).toMatchObject({ code: 2 })
    expect(await inIt(`tenant enable ${code} --expires 2999-01-01T00:00:00Z`)).toMatchObject({
      code: 0,
      out: `Tenant ${code} is active until 2999-01-01T00:00:00.000Z.\n`,
    })
    expect(await inIt(`tenant enable ${code} --expires never`)).toMatchObject({
      code: 0,
      out: `Tenant ${code} is active.\n`,
    })
  })
})

describe('the rest', () => {
  test('the demo is not for production', async () => {
    const env = { NODE_ENV: 'production', DATABASE_URL: world.databaseUrl }
    expect(await atrium('seed', { env })).toMatchObject({ code: 1, err: expect.stringContaining('not for production') })
  })

  test('the OpenAPI document is printed or written, without a database', async () => {
    const file = join(dir, 'openapi.json')
    const [printed, written] = await Promise.all([atrium('openapi'), atriumHere(`openapi --out ${file}`)])

    expect(printed.out).toBe((await world.app.inject('/openapi.json')).body)
    expect(written).toMatchObject({ code: 0, out: '' })
    expect(readFileSync(file, 'utf8')).toBe(printed.out)
  })

  test('each plug-in is shown with what it is for, and whether it is on', async () => {
    const [all, none] = [await atriumHere('plugins --json'), await atriumHere('plugins', { env: { PLUGINS: 'none' } })]

    expect(all.json()).toEqual(PLUGIN_NAMES.map((name) => expect.objectContaining({ name, on: true })))
    expect(none.code).toBe(0)
    for (const name of PLUGIN_NAMES) expect(none.out).toMatch(new RegExp(`^off {2}${name} +\\w`, 'm'))
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
    expect(table.code).toBe(0)
    expect(table.out).toMatch(
      /^ {2}DATABASE_URL +postgres:\/\/atrium:\*\*\*@db\/atrium\?sslpassword=\*\*\* +environment$/m,
    )
    expect(table.out).toMatch(/^ {2}JWT_SECRET +\*\*\* +file$/m)
    expect(table.out).toMatch(/^ {2}PORT +8080 +default$/m)
    expect(table.err).toContain('DATABSE_URL is not read; was DATABASE_URL meant?')
  })

  test('a configuration that would stop the start is reported with all its problems', async () => {
    const said = await atriumHere('config --json', { env: { PORT: 'eighty', S3_BUCKET: 'x', DATABSE_URL: 'x' } })

    expect(said.code).toBe(1)
    expect(said.json()).toMatchObject({
      problem: expect.stringMatching(/PORT: .*\n {2}S3_BUCKET: /),
      strays: ['DATABSE_URL'],
      values: expect.arrayContaining([{ name: 'S3_BUCKET', shown: 'x', source: 'environment' }]),
    })
  })
})
