import { describe, expect, test } from 'vitest'
import { cloneDatabase, type Inspector, openInspector } from '#test/database.ts'
import { openInstance } from '#test/instance.ts'
import { report } from '#test/invariants.ts'
import { endLeases } from '#test/leases.ts'
import { until, untilNone } from '#test/patience.ts'
import { openReceiver, type Receiver } from '#test/receiver.ts'
import { startProcess } from '#test/service.ts'
import { foundCompanies, randomFrom } from '#test/workload.ts'
import { openWorld, type Tenant } from '#test/world.ts'
import { freePort } from '../../../../../appliance/embedded/postmaster.ts'

/** WEBHOOK_KILLS=50 WEBHOOK_EVENTS=100000 for the full run. */
const KILLS = Number(process.env.WEBHOOK_KILLS ?? 2)
const EVENTS = Number(process.env.WEBHOOK_EVENTS ?? 300)
const SUBJECTS = 40
const env = { WEBHOOK_PRIVATE_ADDRESSES: 'true' }
const chance = randomFrom(Date.now())

const world = await openWorld()
const webhookAt = ({ url }: Receiver) => ({ url, types: ['task.updated'] })

/** Events as commands leave them, in turn about so many tasks. */
async function givenEvents(look: Inspector, tenant: number, count: number): Promise<void> {
  await look.rows(
    `insert into unnumbered_events (tenant_id, type, subject_type, subject_id, actor_kind, data, occurred_at)
     select $1, 'task.updated', 'task', 1 + n % $3, 'system', jsonb_build_object('n', n), clock_timestamp()
       from generate_series(0, $2::integer - 1) n`,
    [tenant, count, SUBJECTS],
  )
}

function expectInOrder(numbers: readonly number[]) {
  for (const ofTask of Map.groupBy(numbers, (n) => n % SUBJECTS).values())
    expect(ofTask).toEqual(ofTask.toSorted((a, b) => a - b))
}

test(`of ${EVENTS} events none is lost when sender and receiver are killed ${KILLS} times, those of a task come in order, and each has one id`, async () => {
  const databaseUrl = await cloneDatabase()
  const look = await openInspector(databaseUrl)
  let service = await startProcess({ databaseUrl, env })
  const { port } = service
  const [company] = await foundCompanies(service.remote, 1)
  // No outgoing connection takes it while nobody listens there.
  const address = await freePort()
  let receiver = await openReceiver(address)
  const boss = service.remote.as(company!.people[0]!.token)
  ;(await boss.post('/webhooks', webhookAt(receiver))).expect(201)
  await givenEvents(look, company!.tenant, EVENTS)
  // The worker hears of events by a commit.
  ;(await boss.post(`/projects/${company!.project}/tasks`, { title: 'x' })).expect(201)
  const left = async () =>
    EVENTS -
    (await look.count(`select count(*) from webhook_deliveries where status = 'delivered' and type = 'task.updated'`))
  const arrived: { id: number; n: number }[] = []
  const collect = () => arrived.push(...receiver.arrived.splice(0).map(({ id, event }) => ({ id, n: event.data.n })))
  for (let kill = 0; kill < KILLS; kill++) {
    // Each kill falls while a share of the events is still to be delivered.
    const share = EVENTS - ((kill + chance()) * EVENTS) / (KILLS + 1)
    await until(async () => (await left()) <= share)
    if (kill % 2 === 0) {
      await service.end('SIGKILL')
      await endLeases(look)
      service = await startProcess({ databaseUrl, port, env })
    } else {
      await receiver.close()
      collect()
      receiver = await openReceiver(address)
    }
  }
  await untilNone(left)
  await service.end('SIGKILL')
  collect()

  const first = new Map<number, number>()
  for (const { id, n } of arrived) if (!first.has(n)) first.set(n, id)
  report('webhooks under kills', [], { events: EVENTS, kills: KILLS, twice: arrived.length - first.size })
  expect(first.size).toBe(EVENTS)
  expectInOrder([...first.keys()])
  // A repeated one is recognized by its id, which no other has.
  expect(arrived.filter(({ id, n }) => first.get(n) !== id)).toEqual([])
  expect(new Set(first.values()).size).toBe(EVENTS)
})

describe('without kills', () => {
  let tenant: Tenant

  async function givenWebhooks(all: readonly Receiver[]) {
    tenant = await world.givenTenant()
    for (const receiver of all)
      (await world.as(tenant.administrator).post('/webhooks', webhookAt(receiver))).expect(201)
  }
  /** The worker hears of them by the signal of a commit. */
  async function happen(count: number) {
    await givenEvents(world.look, tenant.id, count)
    world.database.eventSignal.publish(tenant.id)
  }

  test('nine receivers have all events before a tenth has answered its first', async () => {
    const answered = Promise.withResolvers<void>()
    const slow = await openReceiver()
    let [open, most] = [0, 0]
    slow.answer = async (_, res) => {
      most = Math.max(most, ++open)
      res.once('close', () => open--)
      await answered.promise
      return 200
    }
    const good = await Promise.all(Array.from({ length: 9 }, () => openReceiver()))
    await givenWebhooks([slow, ...good])
    await happen(SUBJECTS)
    await slow.arrivedAt('/')
    await Promise.all(good.map((receiver) => receiver.arrivedAt('/', SUBJECTS)))
    expect(most).toBeLessThanOrEqual(16)
    answered.resolve()
  })

  test('two instances keep the order of each task, and send no event twice', async () => {
    const receiver = await openReceiver()
    await givenWebhooks([receiver])
    await givenEvents(world.look, tenant.id, EVENTS)
    // It begins with what it finds.
    await openInstance(world.databaseUrl)
    world.database.eventSignal.publish(tenant.id)
    await receiver.arrivedAt('/', EVENTS)
    const numbers = receiver.arrived.map(({ event }) => event.data.n as number)
    expectInOrder(numbers)
    expect(new Set(numbers).size).toBe(EVENTS)
    expect(numbers).toHaveLength(EVENTS)
  })
})
