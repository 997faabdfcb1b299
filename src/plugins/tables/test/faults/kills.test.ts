import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { cloneDatabase, openInspector } from '#test/database.ts'
import { endLeases } from '#test/leases.ts'
import { obeying } from '#test/obedient.ts'
import { startProcess } from '#test/service.ts'
import { foundCompanies } from '#test/workload.ts'

/** IMPORT_KILLS=20 for the full run. */
const KILLS = Number(process.env.IMPORT_KILLS ?? 2)
const ROWS = 5000

test(`an import of ${ROWS} tasks that is killed leaves all or nothing, and its key makes it whole, at ${KILLS} moments`, async () => {
  const databaseUrl = await cloneDatabase()
  const look = await openInspector(databaseUrl)
  let service = await startProcess({ databaseUrl })
  const { port } = service
  const [company] = await foundCompanies(service.remote, 1)
  const boss = company!.people[0]!

  const importAs = (name: string) => {
    const headers = {
      authorization: `Bearer ${boss.token}`,
      'content-type': 'text/csv',
      'idempotency-key': name,
    }
    const table = `title\n${Array.from({ length: ROWS }, (_, at) => `${name} ${at}\n`).join('')}`
    return service.remote.send('POST', `/projects/${company!.project}/tasks/import`, headers, table)
  }
  const count = (sql: string, name: string) => look.count(sql, [company!.tenant, `${name} %`])
  const tasksOf = (name: string) => count('select count(*) from tasks where tenant_id = $1 and title like $2', name)
  const recordsOf = (name: string) =>
    count(
      `select count(*) from activities a join tasks t on t.tenant_id = a.tenant_id and t.id = a.task_id
        where t.tenant_id = $1 and t.title like $2 and a.action = 'TASK_CREATED'`,
      name,
    )

  const start = performance.now()
  expect((await obeying(() => importAs('Whole'))).status).toBe(201)
  const took = performance.now() - start
  const left: number[] = []
  for (let kill = 0; kill < KILLS; kill++) {
    const name = `Killed${kill}`
    const answer = importAs(name).catch(() => undefined)
    await sleep((took * (kill + 0.5)) / KILLS)
    await service.end('SIGKILL')
    await answer
    await endLeases(look)
    service = await startProcess({ databaseUrl, port })
    left.push(await tasksOf(name))
    // A key is used once.
    expect((await obeying(() => importAs(name))).status).toBe(left.at(-1) === ROWS ? 409 : 201)
    expect([await tasksOf(name), await recordsOf(name)]).toEqual([ROWS, ROWS])
  }
  for (const tasks of left) expect([0, ROWS]).toContain(tasks)
})
