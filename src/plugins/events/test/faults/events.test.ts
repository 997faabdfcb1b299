import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { cloneDatabase, openInspector } from '#test/database.ts'
import { expectNoViolation } from '#test/invariants.ts'
import { until } from '#test/patience.ts'
import { isHere } from '#test/plugins.ts'
import { type ServiceProcess, startProcess } from '#test/service.ts'
import { checkStanding } from '#test/standing.ts'
import { foundCompanies, randomFrom } from '#test/workload.ts'

/** EVENT_KILLS=50 for the full run. */
const KILLS = Number(process.env.EVENT_KILLS ?? 1)
const WRITERS = 8
/** Events between two kills. */
const EVENTS = 100
const chance = randomFrom(Date.now())

const services: ServiceProcess[] = []

/**
 * Two processes write and are killed, and readers follow the log by polling and by waiting, and the audit by its stream.
 * A row that appeared below an id that a reader had seen would be in the database and not among what that reader has read.
 */
test(`readers see every event and every row of the audit once and in order, with ${WRITERS} writers, two processes and ${KILLS} kills`, async () => {
  const databaseUrl = await cloneDatabase()
  const look = await openInspector(databaseUrl)
  for (let at = 0; at < 2; at++) services.push(await startProcess({ databaseUrl }))
  const [company] = await foundCompanies(services[0]!.remote, 1)
  const { project, people } = company!
  const [boss] = people
  const acknowledged: number[] = []
  /** Writers rest when there are so many, such as while a process starts again. */
  let most = 0
  let isOver = false
  let isQuiet = false

  async function write(writer: number) {
    const path = `/projects/${project}/tasks`
    for (let count = 0; !isOver; count++) {
      if (acknowledged.length >= most) {
        await sleep(5)
        continue
      }
      const { remote } = services[(writer + count) % 2]!
      // Some commands are short and some are long, so they do not commit in the order in which they began.
      const title = 'x'.repeat(1 + Math.floor(chance() * 200))
      const answer = await remote
        .as(people[writer % people.length]!.token)
        .post(path, { title, assigneeId: chance() < 0.5 ? boss!.id : null })
        .catch(() => undefined)
      if (answer?.status === 201) acknowledged.push(answer.data.id)
      else await sleep(20)
    }
  }

  /** Reads on behind the last that was seen, until nothing comes any more. */
  async function follow(reader: number, path: string, headers = {}, rowsOf = (data: any): any[] => data) {
    const seen: any[] = []
    for (let count = 0; ; count++) {
      const wasQuiet = isQuiet
      const client = services[(reader + count) % 2]!.remote.as(boss!.token)
      const answer = await client.get(`${path}after=${seen.at(-1)?.id ?? 0}`, headers).catch(() => undefined)
      const rows = answer?.status === 200 ? rowsOf(answer.data) : undefined
      seen.push(...(rows ?? []))
      if (rows?.length === 0 && wasQuiet) return seen
      await sleep(rows?.length ? 2 : 20)
    }
  }

  const linesOf = (text: string) =>
    text
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line))
  const audit = follow(0, '/audit/operations?', { accept: 'application/x-ndjson' }, linesOf)
  const readers = ['limit=1000', 'limit=7', 'limit=100&wait=1'].map((query, at) => follow(at, `/events?${query}&`))
  const writers = Array.from({ length: WRITERS }, (_, writer) => write(writer))
  // If the test fails, they end with the services.
  for (const working of [audit, ...readers, ...writers]) working.catch(() => {})
  const untilMore = (count: number) => {
    const wanted = acknowledged.length + count
    most = wanted + WRITERS
    return until(() => acknowledged.length >= wanted, 2)
  }
  for (let kill = 0; kill < KILLS; kill++) {
    await untilMore(EVENTS * (0.5 + chance()))
    const at = kill % 2
    const { port } = services[at]!
    await services[at]!.end('SIGKILL')
    services[at] = await startProcess({ databaseUrl, port })
  }
  await untilMore(EVENTS)
  isOver = true
  await Promise.all(writers)
  // A killed process may have kept the turn to number them, so a reader may have been given nothing meanwhile.
  await until(async () => (await look.count('select count(*) from unnumbered_events')) === 0)
  const [chain, links] = isHere('audit-chain')
    ? ['chain', 'left join audit_links using (tenant_id, id)']
    : ['null as chain', '']
  const listAudited = () =>
    look.rows(`select id::float8, ${chain} from audit_operations ${links} where tenant_id = $1 order by id`, [
      company!.tenant,
    ])
  const settled = await until(async () => {
    const rows = await listAudited()
    return (!isHere('audit-chain') || rows.every(({ chain }) => chain !== null)) && rows
  })
  isQuiet = true
  const [seenOfAudit, ...read] = await Promise.all([audit, ...readers])

  const idsIn = async (table: string) =>
    (await look.rows(`select id::float8 from ${table} where tenant_id = $1 order by id`, [company!.tenant])).map(
      ({ id }: any): number => id,
    )
  const stored = await idsIn('events')
  for (const seen of read) expect(seen.map(({ id }) => id)).toEqual(stored)
  const created = read[0]!.filter(({ type }) => type === 'task.created').map(({ subject }) => subject.id)
  expect(new Set(created).size).toBe(created.length)
  expect(acknowledged.filter((id) => !created.includes(id))).toEqual([])
  expect([...created].sort((a, b) => a - b)).toEqual(await idsIn('tasks'))
  // A refusal is written down after its answer, so one may have come since.
  const audited = (await listAudited()).slice(0, Math.max(settled.length, seenOfAudit.length))
  expect(seenOfAudit.map(({ id, chain }) => ({ id, chain }))).toEqual(audited)
  expectNoViolation(
    'events under kills',
    (await checkStanding(look)).filter(({ id }) => id === 'I20'),
    { kills: KILLS, events: stored.length, audited: audited.length, acknowledged: acknowledged.length },
  )
})
