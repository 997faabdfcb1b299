import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, expect, test } from 'vitest'
import { cloneDatabase, type Inspector, openInspector } from '../support/database.ts'
import { untilDelivered } from '../support/invariants.ts'
import { inTime } from '../support/patience.ts'
import { type ServiceProcess, startProcess } from '../support/service.ts'
import { foundCompanies } from '../support/workload.ts'

const TASKS = 6000
/** At most; a fast machine is done before. */
const KILLS = 4

let services: ServiceProcess[] = []
let look: Inspector | undefined
afterEach(async () => {
  await Promise.all(services.map((service) => service.end('SIGKILL')))
  await look?.close()
})

test('two processes that are killed while they remind people do it once for each task', {
  timeout: 240_000,
}, async () => {
  const databaseUrl = await cloneDatabase()
  look = await openInspector(databaseUrl)
  const founding = await startProcess({ databaseUrl })
  services = [founding]
  const [company] = await foundCompanies(founding.remote, 1)
  await founding.end('SIGKILL')
  const [, person] = company!.people
  // A zone in which it is the middle of the day, whenever this runs.
  const hours = (12 - new Date().getUTCHours() + 24) % 24
  const zone = hours === 0 ? 'UTC' : `Etc/GMT${hours <= 12 ? '-' : '+'}${hours <= 12 ? hours : 24 - hours}`
  const tenant = (await look.rows('select tenant_id from projects where id = $1', [company!.project]))[0]!.tenant_id
  await look.rows('update tenants set time_zone = $2 where id = $1', [tenant, zone])
  await look.rows('delete from reminder_rounds')
  await look.rows(
    `insert into tasks (tenant_id, project_id, title, assignee_id, reporter_id, due_date, created_at, updated_at)
     select $1, $2, 'Task ' || n, $3, $3, (now() at time zone $4)::date, now(), now() from generate_series(1, ${TASKS}) n`,
    [tenant, company!.project, person!.id, zone],
  )
  const told = () =>
    look!.count(
      `select (select count(*) from outbox where type = 'TASK_DUE') + (select count(*) from notifications where type = 'TASK_DUE')`,
    )
  const ended = () => look!.count('select count(*) from reminder_rounds where tenant_id = $1 and ended', [tenant])

  services = await Promise.all([startProcess({ databaseUrl }), startProcess({ databaseUrl })])
  let kills = 0
  for (let before = 0; kills < KILLS && !(await ended()); await sleep(5)) {
    const now = await told()
    if (now < before + TASKS / (2 * KILLS)) continue
    before = now
    const at = kills++ % 2
    await services[at]!.end('SIGKILL')
    services[at] = await startProcess({ databaseUrl })
  }
  await expect.poll(ended, { timeout: inTime(15_000) }).toBe(1)
  await untilDelivered(look)

  expect(kills).toBeGreaterThan(0)
  const [found] = await look.rows(
    `select count(*)::int as all, count(distinct resource_id)::int as tasks from notifications where type = 'TASK_DUE'`,
  )
  expect(found).toEqual({ all: TASKS, tasks: TASKS })
})
