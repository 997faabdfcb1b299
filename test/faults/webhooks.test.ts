import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, expect, test } from 'vitest'
import { cloneDatabase, type Inspector, openInspector } from '../support/database.ts'
import { report } from '../support/invariants.ts'
import { openReceiver, type Receiver } from '../support/receiver.ts'
import { type ServiceProcess, startProcess } from '../support/service.ts'
import { type Company, foundCompanies, randomFrom } from '../support/workload.ts'

/** WEBHOOK_KILLS=50 WEBHOOK_EVENTS=100000 for the full run. */
const KILLS = Number(process.env.WEBHOOK_KILLS ?? 4)
const EVENTS = Number(process.env.WEBHOOK_EVENTS ?? 600)
const SUBJECTS = 40
const env = { WEBHOOK_PRIVATE_ADDRESSES: 'true' }
const chance = randomFrom(Date.now())

let service: ServiceProcess | undefined
let look: Inspector | undefined
let databaseUrl: string
let receivers: Receiver[] = []
afterEach(async () => {
  await service?.end('SIGKILL')
  await look?.close()
  await Promise.all(receivers.map((receiver) => receiver.close()))
  receivers = []
})

async function givenService(): Promise<Company> {
  databaseUrl = await cloneDatabase()
  look = await openInspector(databaseUrl)
  service = await startProcess({ databaseUrl, env })
  const [company] = await foundCompanies(service.remote, 1)
  return company!
}
const webhookOf = async ({ people: [boss] }: Company, url: string) =>
  (await service!.remote.as(boss!.token).post('/webhooks', { url, types: ['task.updated'] })).expect(201)

/** Events as commands leave them, in turn about so many tasks. */
async function givenEvents({ tenant }: Company, count: number): Promise<void> {
  await look!.rows(
    `insert into unnumbered_events (tenant_id, type, subject_type, subject_id, actor_kind, data, occurred_at)
     select $1, 'task.updated', 'task', 1 + n % $3, 'system', jsonb_build_object('n', n), clock_timestamp()
       from generate_series(0, $2::integer - 1) n`,
    [tenant, count, SUBJECTS],
  )
}
const left = (count: number) =>
  look!
    .count(`select count(*) from webhook_deliveries where status = 'delivered' and type = 'task.updated'`)
    .then((delivered) => count - delivered)

test(`of ${EVENTS} events none is lost when sender and receiver are killed ${KILLS} times, those of a task come in order, and each has one id`, {
  timeout: 180_000 + KILLS * 40_000 + EVENTS * 100,
}, async () => {
  const company = await givenService()
  let receiver = await openReceiver()
  receivers = [receiver]
  const { port } = service!
  await webhookOf(company, receiver.url)
  await givenEvents(company, EVENTS)
  const arrived: { id: number; n: number }[] = []
  const collect = () => arrived.push(...receiver.arrived.splice(0).map(({ id, event }) => ({ id, n: event.data.n })))
  for (let kill = 0; kill < KILLS; kill++) {
    // Each kill falls while a share of the events is still to be delivered.
    const share = EVENTS - ((kill + chance()) * EVENTS) / (KILLS + 1)
    for (const end = Date.now() + 60_000 + EVENTS * 50; Date.now() < end && (await left(EVENTS)) > share; )
      await sleep(20)
    if (kill % 2 === 0) {
      await service!.end('SIGKILL')
      service = await startProcess({ databaseUrl, port, env })
    } else {
      const address = Number(new URL(receiver.url).port)
      await receiver.close()
      collect()
      receiver = await openReceiver(address)
      receivers = [receiver]
    }
  }
  for (const end = Date.now() + 90_000 + EVENTS * 50; Date.now() < end && (await left(EVENTS)) > 0; ) await sleep(100)
  collect()

  const first = new Map<number, number>()
  for (const { id, n } of arrived) if (!first.has(n)) first.set(n, id)
  const tasks = Map.groupBy(first.keys(), (n) => n % SUBJECTS)
  report('webhooks under kills', [], { events: EVENTS, kills: KILLS, twice: arrived.length - first.size })
  expect(first.size).toBe(EVENTS)
  for (const numbers of tasks.values()) expect(numbers).toEqual(numbers.toSorted((a, b) => a - b))
  // A repeated one is recognized by its id, which no other has.
  expect(arrived.filter(({ id, n }) => first.get(n) !== id)).toEqual([])
  expect(new Set(first.values()).size).toBe(EVENTS)
})

test('nine receivers have all events before a tenth has answered its first', { timeout: 120_000 }, async () => {
  const company = await givenService()
  const answered = Promise.withResolvers<void>()
  const slow = await openReceiver()
  slow.answer = async () => {
    await Promise.race([answered.promise, sleep(30_000)])
    return 200
  }
  const good = await Promise.all(Array.from({ length: 9 }, () => openReceiver()))
  receivers = [slow, ...good]
  for (const { url } of receivers) await webhookOf(company, url)
  await givenEvents(company, 200)
  await slow.arrivedAt('/')
  await Promise.all(good.map((receiver) => receiver.arrivedAt('/', 200)))
  expect(slow.arrived.length).toBeLessThanOrEqual(16)
  answered.resolve()
})

test('two processes keep the order of each task, and send no event twice', { timeout: 120_000 }, async () => {
  const company = await givenService()
  const other = await startProcess({ databaseUrl, env })
  const receiver = await openReceiver()
  receivers = [receiver]
  await webhookOf(company, receiver.url)
  await givenEvents(company, 400)
  const arrived = await receiver.arrivedAt('/', 400)
  await other.end('SIGKILL')
  const numbers = arrived.map(({ event }) => event.data.n as number)
  for (const ofTask of Map.groupBy(numbers, (n) => n % SUBJECTS).values())
    expect(ofTask).toEqual(ofTask.toSorted((a, b) => a - b))
  expect(new Set(numbers).size).toBe(400)
  expect(receiver.arrived).toHaveLength(400)
})
