import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { cloneDatabase, type Inspector, openInspector } from '../support/database.ts'
import { checkDatabase, checkHistory, expectNoViolation, untilDelivered } from '../support/invariants.ts'
import { inTime, until } from '../support/patience.ts'
import { type ServiceProcess, startProcess } from '../support/service.ts'
import { foundCompanies, latencies, randomFrom, startWorkload, tally } from '../support/workload.ts'

/** KILLS=20 for the full run. */
const KILLS = Number(process.env.KILLS ?? 1)
const CLIENTS = 32
const chance = randomFrom(Date.now())

let databaseUrl: string
let service: ServiceProcess
let look: Inspector
beforeAll(async () => {
  databaseUrl = await cloneDatabase()
  look = await openInspector(databaseUrl)
  service = await startProcess({ databaseUrl })
})
afterAll(async () => {
  await service?.end('SIGKILL')
  await look?.close()
})

const restart = async () => {
  service = await startProcess({ databaseUrl, port: service.port })
}

test(`a service that is killed while it writes loses nothing that it acknowledged, kills: ${KILLS}`, async () => {
  const companies = await foundCompanies(service.remote)
  const workload = startWorkload(() => service.remote, companies, { clients: CLIENTS, reads: 0 })
  const { history, foreign, malformed } = workload
  const readyAfter: number[] = []
  for (let kill = 0; kill < KILLS; kill++) {
    await workload.served(100 + 200 * chance())
    await service.end('SIGKILL')
    await restart()
    readyAfter.push(Math.round(service.readyAfter))
  }
  await workload.served(100)
  await workload.stop()
  await untilDelivered(look)

  expectNoViolation(
    `${KILLS} kills under ${CLIENTS} clients`,
    [...(await checkHistory(look, history)), ...(await checkDatabase(look))],
    { outcomes: tally(history), readyAfterMs: readyAfter, latencyMs: latencies(history) },
  )
  expect({ foreign, malformed }).toEqual({ foreign: [], malformed: [] })
  expect(Math.max(...readyAfter)).toBeLessThan(inTime(3000))
})

test('a service that is killed between the commit and the answer has done it, once, and its news arrives', async () => {
  const [company] = await foundCompanies(service.remote, 1)
  const { tenant, project, people } = company!
  const [boss, author] = people
  const task = (await service.remote.as(boss!.token).post(`/projects/${project}/tasks`, { title: 'x' })).expect(201)

  for (let kill = 0; kill < KILLS; kill++) {
    const content = `comment ${kill}`
    const release = await holdNotifications()
    const answer = service.remote.as(author!.token).post(`/tasks/${task.id}/comments`, { content })
    answer.catch(() => {})
    await until(async () => (await look.count('select count(*) from task_comments where content = $1', [content])) > 0)
    await service.end('SIGKILL')
    await release()
    await expect(answer).rejects.toThrow()
    await restart()

    const comments = (await service.remote.as(author!.token).get(`/tasks/${task.id}/comments`)).expect(200)
    expect(comments.filter((comment: any) => comment.content === content)).toHaveLength(1)
    await untilDelivered(look)
  }

  const inbox = (await service.remote.as(boss!.token).get('/notifications')).expect(200)
  const comments = inbox.filter(({ type }: any) => type === 'TASK_COMMENTED')
  expect(comments.map(({ content }: any) => content).reverse()).toEqual(
    Array.from({ length: KILLS }, (_, kill) => `comment ${kill}`),
  )
  const audited = `select count(*) from audit_operations where tenant_id = $1 and route like '%/comments' and status = 201`
  expect(await look.count(audited, [tenant])).toBe(KILLS)
  expectNoViolation('killed between commit and answer', await checkDatabase(look), { kills: KILLS })
})

/** Nobody can put a notification in until it is released: a command that has news waits between its commit and its answer. */
async function holdNotifications(): Promise<() => Promise<void>> {
  const client = new pg.Client(databaseUrl)
  await client.connect()
  await client.query('begin')
  await client.query('lock table notifications in share mode')
  return () => client.end()
}
