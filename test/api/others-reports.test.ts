import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openLog } from '../../src/log.ts'
import { exportAs, readArchive } from '../support/archive.ts'
import { until } from '../support/patience.ts'
import { openWorld, type Person, type Tenant, type World } from '../support/world.ts'

/** What users of other products have reported, tried here. */
const STRIPE_WEBHOOK_SECRET = 'whsec_of_an_account_that_several_installations_use'
const logged: string[] = []
let world: World
let tenant: Tenant
let boss: Person
beforeAll(async () => {
  const logger = openLog('warn', { write: (line) => void logged.push(line) })
  world = await openWorld({ env: { STRIPE_WEBHOOK_SECRET }, logger })
  tenant = await world.givenTenant()
  boss = tenant.administrator
})
afterAll(() => world?.close())

describe('a method of HTTP', () => {
  test.each(['PATCH', 'TRACE', 'PROPFIND', 'M-SEARCH'])(
    '%s is found in the audit that has recorded it',
    async (method) => {
      const id = `by-${method}`
      const headers = { authorization: `Bearer ${boss.token}`, 'x-request-id': id }
      await world.app.inject({ method: method as 'GET', url: '/scim/v2/Users/1', headers })
      await until(async () => {
        const rows = (await world.as(boss).get(`/audit/operations?method=${method}`)).expect(200)
        expect(rows.map((row: any) => row.requestId)).toEqual([id])
      })
    },
  )

  test('is filtered by in any case', async () => {
    const user = world.as((await world.givenTenant()).administrator)
    ;(await user.put('/notifications/read-all')).expect(200)
    const rows = (await user.get('/audit/operations?method=put')).expect(200)
    expect(rows.map((row: any) => row.method)).toEqual(['PUT'])
    ;(await user.get(`/audit/operations?method=${'A'.repeat(33)}`)).expect(400, 'VALIDATION_FAILED')
  })

  test('may be used by pages of other origins if any route has it', async () => {
    const headers = { origin: 'http://localhost:5173', 'access-control-request-method': 'PATCH' }
    const preflight = await world.app.inject({ method: 'OPTIONS', url: '/scim/v2/Users/1', headers })
    const allowed = String(preflight.headers['access-control-allow-methods']).split(', ')
    expect(allowed.sort()).toEqual(['DELETE', 'GET', 'HEAD', 'PATCH', 'POST', 'PUT'])
  })
})

describe('a line of NDJSON has no character that some programs take for the end of a line', () => {
  const ENDS = /[\u0085\u2028\u2029]/
  const TEXT = 'a\u2028b\u2029c\u0085d'

  test('in an export, whose rows are the same nevertheless', async () => {
    const { administrator } = await world.givenTenant()
    const project = await world.givenProject(administrator, { description: TEXT })
    await world.givenTask(administrator, project, { description: TEXT })
    const archive = await readArchive((await exportAs(world.app, administrator)).stream)
    for (const [name, bytes] of archive.entries) expect(bytes.toString(), name).not.toMatch(ENDS)
    expect(archive.rows('projects')).toMatchObject([{ description: TEXT }])
    expect(archive.rows('tasks')).toMatchObject([{ description: TEXT }])
  })

  test('in the stream of the audit', async () => {
    const stranger = await world.givenTenant()
    const user = world.as(stranger.administrator)
    ;(await user.put('/notifications/read-all', undefined, { 'user-agent': TEXT })).expect(200)
    const text = (await user.get('/audit/operations', { accept: 'application/x-ndjson' })).expect(200)
    expect(text).not.toMatch(ENDS)
    expect(JSON.parse(text.split('\n')[0])).toMatchObject({ userAgent: TEXT })
  })
})

describe('a refusal says what is wrong', () => {
  test.each(['abc', '0'])('of a value that may be of two kinds and is neither: %s', async (value) => {
    const { body } = await world.as(boss).get(`/tasks?assigneeId=${value}`)
    expect(body.message).toBe('Some of the values are not valid: assigneeId must be a positive integer')
  })

  test('of a body that is missing', async () => {
    const { body } = await world.as(boss).post('/departments', undefined, { 'idempotency-key': 'no-body' })
    expect(body.message).toBe('Some of the values are not valid: body is required')
  })

  test('of one thing and of several', async () => {
    const user = world.as(boss)
    const make = async (code: string, parentId?: number) =>
      (await user.post('/departments', { name: code, code, parentId }, { 'idempotency-key': code })).expect(201).id
    const id = await make('A')
    for (const [at, code] of ['B', 'C'].entries()) {
      await make(code, id)
      const { body } = await user.delete(`/departments/${id}`)
      expect(body.message).toBe(`The department is still in use: it has children (${at + 1})`)
    }
  })
})

describe('an event of Stripe', () => {
  const send = (type: string, object: object) => {
    const payload = JSON.stringify({ type, data: { object } })
    const t = Math.floor(Date.now() / 1000)
    const v1 = createHmac('sha256', STRIPE_WEBHOOK_SECRET).update(`${t}.${payload}`).digest('hex')
    const headers = { 'content-type': 'application/json', 'stripe-signature': `t=${t},v1=${v1}` }
    return world.anyone.send({ method: 'POST', url: '/api/v1/payments/callback/stripe', headers, payload })
  }
  const orderNo = 'FV0123456789ABCDEF01234567'

  test.each([
    ['checkout.session.completed', { client_reference_id: orderNo, payment_status: 'paid' }],
    ['checkout.session.expired', { client_reference_id: orderNo }],
    ['charge.refunded', { metadata: { orderNo }, refunded: true }],
  ])('%s of an order of another installation is taken, and logged', async (type, object) => {
    logged.length = 0
    ;(await send(type, object)).expect(200)
    expect(logged.map((line) => JSON.parse(line))).toMatchObject([
      { msg: 'a payment of an unknown order', provider: 'stripe', orderNo },
    ])
  })

  test('of an order of our own is its payment', async () => {
    const seller = await world.givenTenant()
    await world.givenPrices(seller)
    const buyer = world.as(await world.givenUser(seller))
    const order = (await buyer.post('/payments/checkout', { planId: 2, channel: 'card' })).expect(201)
    ;(await send('checkout.session.completed', { client_reference_id: order.orderNo, payment_status: 'paid' })).expect(
      200,
    )
    expect((await buyer.get(`/payments/orders/${order.orderNo}`)).expect(200).status).toBe('paid')
  })
})
