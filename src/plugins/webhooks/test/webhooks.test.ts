import { Webhook } from 'standardwebhooks'
import { beforeEach, describe, expect, test } from 'vitest'
import { openTransaction } from '#test/interleave.ts'
import { until } from '#test/patience.ts'
import { openReceiver } from '#test/receiver.ts'
import { holderOf } from '#test/servers.ts'
import { openWorld, type Tenant } from '#test/world.ts'

let tenant: Tenant
const receiver = await openReceiver()
const world = await openWorld()
const strict = await openWorld({ env: { WEBHOOK_PRIVATE_ADDRESSES: 'false' } })
beforeEach(async () => {
  tenant = await world.givenTenant()
  receiver.answer = () => 200
})

let counter = 0
const boss = () => world.as(tenant.administrator)
const newPath = () => `/hook-${++counter}`
async function givenWebhook(path: string, draft: object = {}): Promise<any> {
  const body = { url: receiver.url + path, types: ['project.created', 'task.created', 'task.updated'], ...draft }
  return (await boss().post('/webhooks', body)).expect(201)
}
const eventsOf = async () => (await boss().get('/events?limit=1000')).expect(200)
const deliveriesOf = async ({ id }: any, query = '') =>
  (await boss().get(`/webhooks/${id}/deliveries${query}`)).expect(200)
const detailsOf = async (webhook: any, id: number) =>
  (await boss().get(`/webhooks/${webhook.id}/deliveries/${id}`)).expect(200)
const read = async ({ id }: any) => (await boss().get(`/webhooks/${id}`)).expect(200)
const patched = async ({ id }: any, patch: object) => (await boss().put(`/webhooks/${id}`, patch)).expect(200)
const givenProject = () => world.givenProject(tenant.administrator)

/** A delivery, once it is so. */
const delivery = (webhook: object, is: (delivery: any) => boolean): Promise<any> =>
  until(async () => {
    const all = await deliveriesOf(webhook)
    const found = all.find(is)
    if (!found) throw new Error(`no delivery became so: ${JSON.stringify(all)}`)
    return found
  })
const delivered = ({ status }: any) => status === 'delivered'
const attempted =
  (attempts: number) =>
  ({ attempts: made }: any) =>
    made >= attempts

/** Ends the pause after so many attempts, unless it has ended by itself; where no number is named, any pause. */
async function hurry({ id }: { id: number }, attempts?: number) {
  await world.look.rows(
    `update webhook_deliveries set due_at = now()
      where webhook_id = $1 and attempts = coalesce($2, attempts) and due_at is not null`,
    [id, attempts],
  )
  world.database.announcements.publish('webhooks', tenant.id)
}

describe('a webhook', () => {
  test('is sent the events of its types as the log shows them, and nothing from before', async () => {
    await givenProject()
    const path = newPath()
    const webhook = await givenWebhook(path)
    const project = await givenProject()
    const [first] = await receiver.arrivedAt(path)

    expect(first!.event.subject).toEqual({ type: 'project', id: project.id })
    expect(first!.event).toEqual((await eventsOf()).find(({ id }: any) => id === first!.id))
    expect(first!.headers).toMatchObject({ 'content-type': 'application/json', 'webhook-id': String(first!.event.id) })
    const { id, ...sent } = await delivery(webhook, delivered)
    const outcome = { attempts: 1, responseStatus: 200, nextAttemptAt: null }
    expect(sent).toMatchObject({ eventId: first!.id, type: 'project.created', ...outcome })
    expect(await detailsOf(webhook, id)).toMatchObject({ body: first!.text, responseBody: 'ok', lastError: null })
  })

  test('signs as Standard Webhooks say; for a day after a rotation with both secrets', async () => {
    const path = newPath()
    const webhook = await givenWebhook(path)
    expect(webhook.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    const { secret } = (await boss().post(`/webhooks/${webhook.id}/rotate-secret`)).expect(200)
    expect(secret).not.toBe(webhook.secret)
    await givenProject()
    const [{ text, headers }] = (await receiver.arrivedAt(path)) as [any]
    expect(headers['webhook-signature'].split(' ')).toHaveLength(2)
    for (const one of [webhook.secret, secret]) expect(new Webhook(one).verify(text, headers)).toEqual(JSON.parse(text))
    const [newest, older] = headers['webhook-signature'].split(' ')
    const signedBy = (signature: string) => ({ ...headers, 'webhook-signature': signature })
    expect(() => new Webhook(secret).verify(text, signedBy(newest))).not.toThrow()
    expect(() => new Webhook(secret).verify(text, signedBy(older))).toThrow('No matching signature')
    expect(() => new Webhook(secret).verify(`${text} `, headers)).toThrow('No matching signature')
  })

  test('keeps its secret and its address encrypted, and shows the secret in no other answer', async () => {
    const path = newPath()
    const webhook = await givenWebhook(path)
    const stored = async () => (await world.look.rows('select * from webhooks where id = $1', [webhook.id]))[0] as any
    expect(await stored()).toMatchObject({ url: `${receiver.url}/…`, sealed: expect.stringMatching(/^s1\./) })
    const moved = await patched(webhook, { url: `${receiver.url}${path}/moved`, version: 0 })
    expect([webhook.url, moved.url]).toEqual([receiver.url + path, `${receiver.url}${path}/moved`])
    expect(JSON.stringify(await stored())).not.toContain(path)
    for (const answer of [await read(webhook), (await boss().get('/webhooks')).expect(200), await eventsOf()])
      expect(JSON.stringify(answer)).not.toContain('whsec_')
  })

  test('is sent to the address that it has when a delivery is taken, not to one that was read before', async () => {
    const path = newPath()
    receiver.answer = (arrived) => (arrived.path === path ? 500 : 200)
    const webhook = await givenWebhook(path)
    await givenProject()
    // It failed, and is not tried again before it is held.
    const putOff = `update webhook_deliveries set due_at = now() + interval '1 hour'
      where webhook_id = $1 and attempts > 0 and leased_until is null returning id`
    await until(async () => (await world.look.rows(putOff, [webhook.id])).length > 0)
    const before = receiver.arrived.filter((each) => each.path === path)
    const holder = await openTransaction(await holderOf(world.databaseUrl, tenant.id))
    await holder.query('lock table webhook_deliveries in share row exclusive mode')
    await holder.query('update webhook_deliveries set due_at = now() where webhook_id = $1', [webhook.id])
    world.database.announcements.publish('webhooks', tenant.id)
    const waiting = `select count(*) from pg_locks where relation = 'webhook_deliveries'::regclass and not granted`
    await until(async () => (await world.look.countEverywhere(waiting)) > 0)
    await patched(webhook, { url: `${receiver.url}${path}/moved`, version: 0 })
    await holder.commit()

    await delivery(webhook, delivered)
    expect(receiver.arrived.filter((each) => each.path === path)).toEqual(before)
  })

  test('that is deleted is gone with what it had still to be sent', async () => {
    const path = newPath()
    receiver.answer = () => 503
    const webhook = await givenWebhook(path)
    await givenProject()
    await delivery(webhook, attempted(1))
    ;(await boss().delete(`/webhooks/${webhook.id}`)).expect(200)
    for (const path of ['', '/deliveries'])
      (await boss().get(`/webhooks/${webhook.id}${path}`)).expect(404, 'NOT_FOUND')
    expect((await boss().get('/webhooks')).expect(200)).toEqual([])
  })

  test.each(['ftp://files.example.com/', 'https://ada:secret@hooks.example.com/'])('is not at %s', async (url) => {
    const refusal = (await boss().post('/webhooks', { url, types: ['*'] })).expect(400, 'VALIDATION_FAILED')
    expect(refusal.details[0].path).toBe('body.url')
  })
})

/** A delivery that was given up. */
async function givenUp(webhook: { id: number }): Promise<any> {
  await givenProject()
  await delivery(webhook, attempted(1))
  return until(async () => {
    const sixMore = `update webhook_deliveries set attempts = 7 where webhook_id = $1 and status = 'failed'`
    await world.look.rows(sixMore, [webhook.id])
    await hurry(webhook, 7)
    return (await deliveriesOf(webhook)).find(({ status }: any) => status === 'dead') ?? false
  }, 100)
}
/** What the administrator was notified of. */
const news = async () =>
  (await boss().get('/notifications')).expect(200).filter(({ type }: any) => type === 'WEBHOOK_GAVE_UP')

describe('a delivery', () => {
  test('that fails is tried again after five seconds; the third failure in a row makes its webhook failing until one succeeds', async () => {
    const path = newPath()
    receiver.answer = () => 500
    const webhook = await givenWebhook(path)
    const start = Date.now()
    await givenProject()
    const failed = await delivery(webhook, attempted(1))
    expect(failed).toMatchObject({ status: 'failed', responseStatus: 500 })
    expect(Date.parse(failed.nextAttemptAt)).toBeGreaterThan(start + 5000)
    await hurry(webhook, 1)
    const [first, second] = await receiver.arrivedAt(path, 2)
    expect(second!.headers['webhook-id']).toBe(first!.headers['webhook-id'])
    expect(await read(webhook)).toMatchObject({ status: 'active' })
    await delivery(webhook, attempted(2))
    await hurry(webhook, 2)
    await delivery(webhook, attempted(3))
    expect(await read(webhook)).toMatchObject({ status: 'failing' })
    receiver.answer = () => 204
    await hurry(webhook, 3)
    expect(await delivery(webhook, delivered)).toMatchObject({ attempts: 4, responseStatus: 204 })
    expect(await read(webhook)).toMatchObject({ status: 'active', version: 0 })
  })

  test('is given up after the eighth attempt, its maker is notified once, and it can be sent again', async () => {
    const path = newPath()
    receiver.answer = () => 410
    const webhook = await givenWebhook(path)
    const dead = await givenUp(webhook)
    expect(dead).toMatchObject({ attempts: 8, responseStatus: 410, nextAttemptAt: null })
    await expect.poll(news).toHaveLength(1)
    expect((await news())[0].title).toContain(new URL(receiver.url).host)

    receiver.answer = () => 200
    const again = (await boss().post(`/webhooks/${webhook.id}/deliveries/${dead.id}/redeliver`)).expect(200)
    expect(again).toMatchObject({ id: dead.id, status: 'waiting', attempts: 0 })
    expect(await delivery(webhook, delivered)).toMatchObject({ id: dead.id, attempts: 1 })
  })

  test.each(['disabled', 'deleted'])(
    'that is given up is news for the administrators if its maker was %s',
    async (how) => {
      const maker = await world.givenUser(tenant, await world.givenRole(tenant, ['webhook:manage']))
      const draft = { url: receiver.url + newPath(), types: ['project.created'] }
      const webhook = (await world.as(maker).post('/webhooks', draft)).expect(201)
      if (how === 'deleted') (await boss().delete(`/users/${maker.id}`)).expect(200)
      else (await boss().put(`/users/${maker.id}`, { status: 'disabled' })).expect(200)
      receiver.answer = () => 410
      await givenUp(webhook)
      await expect.poll(news).toHaveLength(1)
    },
  )

  test('follows no redirect', async () => {
    const path = newPath()
    const elsewhere = newPath()
    receiver.answer = (_, res) => void res.writeHead(307, { location: receiver.url + elsewhere }).end()
    const webhook = await givenWebhook(path)
    await givenProject()
    const { id, ...failed } = await delivery(webhook, attempted(1))
    expect(failed).toMatchObject({ status: 'failed', responseStatus: 307 })
    expect((await detailsOf(webhook, id)).lastError).toContain('redirects')
    expect(receiver.arrived.filter((each) => each.path === elsewhere)).toEqual([])
  })

  test('reads no more of an answer than it may, whatever the receiver sends', async () => {
    const path = newPath()
    receiver.answer = (_, res) => {
      res.writeHead(200)
      const more = () => res.writable && res.write('\u0000x'.repeat(32_768), more)
      more()
    }
    const webhook = await givenWebhook(path)
    await givenProject()
    const { id } = await delivery(webhook, delivered)
    expect((await detailsOf(webhook, id)).responseBody).toBe('x'.repeat(8192))
  })

  test('waits behind those of its subject alone', async () => {
    const path = newPath()
    const project = await givenProject()
    const isStuck = (event: any) => event.subject.type === 'task' && event.subject.id === stuck.id
    receiver.answer = ({ event }) => (event.type === 'task.updated' && isStuck(event) ? 500 : 200)
    const webhook = await givenWebhook(path)
    const [stuck, other] = [
      await world.givenTask(tenant.administrator, project),
      await world.givenTask(tenant.administrator, project),
    ]
    for (const task of [stuck, other])
      for (const version of [0, 1, 2])
        (await boss().put(`/tasks/${task.id}`, { title: `Version ${version}`, version })).expect(200)
    /** What arrived of a task, without repetitions. */
    const ids = (task: any) =>
      receiver.arrived
        .filter((each) => each.path === path && each.event.subject.id === task.id)
        .map(({ event }) => event.data.version ?? 0)
        .filter((version, at, all) => version !== all[at - 1])
    await expect.poll(() => ids(other)).toEqual([0, 1, 2, 3])
    await expect.poll(() => ids(stuck)).toEqual([0, 1])
    receiver.answer = () => 200
    await until(async () => {
      await hurry(webhook)
      expect(ids(stuck)).toEqual([0, 1, 2, 3])
    }, 100)
  })
})

test('what happens while a webhook is paused is delivered afterwards', async () => {
  const path = newPath()
  const webhook = await givenWebhook(path, { status: 'paused' })
  expect(webhook).toMatchObject({ status: 'paused' })
  await givenProject()
  // Another webhook has been sent it, so the worker was here.
  const open = newPath()
  await givenWebhook(open)
  const second = await givenProject()
  await receiver.arrivedAt(open)
  expect(receiver.arrived.filter((each) => each.path === path)).toEqual([])
  await patched(webhook, { status: 'active', version: 0 })
  const arrived = await receiver.arrivedAt(path, 2)
  expect(arrived.map(({ event }) => event.subject.id)).toContain(second.id)
})

test('a webhook from another installation says that it is paused until it has a new secret, and then does what was asked of it', async () => {
  const path = newPath()
  const webhook = await givenWebhook(path)
  const other = await givenWebhook(path, { status: 'paused' })
  // As an import leaves them.
  await world.look.rows(`update webhooks set sealed = null, url = $2 where tenant_id = $1`, [
    tenant.id,
    `${receiver.url}/…`,
  ])
  const url = receiver.url + path
  expect(await patched(webhook, { url, version: 0 })).toMatchObject({ url, status: 'paused' })
  expect(await patched(other, { url, status: 'active', version: 0 })).toMatchObject({ url, status: 'paused' })
  await patched(other, { status: 'paused', version: 1 })
  for (const { id } of [webhook, other]) {
    expect(await read({ id })).toMatchObject({ status: 'paused' })
    ;(await boss().post(`/webhooks/${id}/rotate-secret`)).expect(200)
  }
  expect(await read(webhook)).toMatchObject({ url, status: 'active' })
  expect(await read(other)).toMatchObject({ url, status: 'paused' })
  const project = await givenProject()
  expect((await receiver.arrivedAt(path))[0]!.event.subject.id).toBe(project.id)
})

test('a replay sends all events after an id again, in their order', async () => {
  const path = newPath()
  const webhook = await givenWebhook(path)
  for (let i = 0; i < 3; i++) await givenProject()
  const [first, second, third] = (await receiver.arrivedAt(path, 3)).map(({ id }) => id).sort((a, b) => a - b)
  await delivery(webhook, ({ eventId, status }) => eventId === third && status === 'delivered')
  receiver.arrived.length = 0
  ;(await boss().post(`/webhooks/${webhook.id}/replay`, { afterEventId: first! })).expect(200)
  const again = await receiver.arrivedAt(path, 2)
  expect(again.map(({ id }) => id).sort((a, b) => a - b)).toEqual([second, third])
})

describe('an address that is not public', () => {
  const PUBLIC = { url: 'https://8.8.8.8/', types: ['*'], status: 'paused' }
  const made = async () => (await strict.as(strict.admin).post('/webhooks', PUBLIC)).expect(201)

  test.each(['http://localhost/', 'http://intranet/', 'http://169.254.169.254/latest/meta-data', 'http://[::1]/'])(
    '%s is refused when it is saved',
    async (url) => {
      const admin = strict.as(strict.admin)
      ;(await admin.post('/webhooks', { url, types: ['*'] })).expect(400, 'ADDRESS_REFUSED')
      ;(await admin.put(`/webhooks/${(await made()).id}`, { url, version: 0 })).expect(400, 'ADDRESS_REFUSED')
    },
  )

  test.each(['localhost', '127.0.0.1'])('is refused again at each attempt: %s', async (host) => {
    const path = newPath()
    const admin = strict.as(strict.admin)
    const { id } = await made()
    // As if its name led elsewhere by now, or the setting had been changed.
    const secrets = { current: 'whsec_c2VjcmV0', url: receiver.url.replace('127.0.0.1', host) + path }
    await strict.look.rows('update webhooks set sealed = $2 where id = $1', [
      id,
      strict.app.sealer.seal(JSON.stringify(secrets), `webhooks 1/${id}`),
    ])
    ;(await admin.put(`/webhooks/${id}`, { status: 'active', version: 0 })).expect(200)
    ;(await admin.post(`/webhooks/${id}/test`)).expect(200)
    const failed = await until(async () => {
      const [failed] = (await admin.get(`/webhooks/${id}/deliveries?status=failed`)).expect(200)
      return failed ?? false
    })
    const shown = (await admin.get(`/webhooks/${id}/deliveries/${failed.id}`)).expect(200)
    expect(shown).toMatchObject({ responseStatus: null })
    expect(shown.lastError).toContain('ADDRESS_REFUSED')
    expect(receiver.arrived.filter((each) => each.path === path)).toEqual([])
  })
})
