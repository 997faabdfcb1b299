import { expect, test } from 'vitest'
import { hold, waitsForLock } from '#test/interleave.ts'
import { untilDelivered } from '#test/invariants.ts'
import { holderOf } from '#test/servers.ts'
import { type ServiceProcess, startProcess } from '#test/service.ts'
import { allowed } from '#test/triggers.ts'
import { openWorld } from '#test/world.ts'

/** KILLS=20 for the full run. */
const KILLS = Number(process.env.KILLS ?? 1)
/** Batches of 200: one that is done, one for each kill, and the rest. */
const TASKS = 200 * (KILLS + 2)
const LOCK = 8

let services: ServiceProcess[] = []
const world = await openWorld()
const killBoth = () => Promise.all(services.map((service) => service.end('SIGKILL')))

test('two processes that are killed while they remind people do it once for each task', async () => {
  const { databaseUrl, look } = world
  const { id, administrator } = await world.givenTenant()
  const project = await world.givenProject(administrator)
  // Its own jobs would remind people too.
  await world.app.close()
  // A zone in which it is the middle of the day, whenever this runs.
  const hours = (12 - new Date().getUTCHours() + 24) % 24
  const zone = hours === 0 ? 'UTC' : `Etc/GMT${hours <= 12 ? '-' : '+'}${hours <= 12 ? hours : 24 - hours}`
  await look.rows('update tenants set time_zone = $2 where id = $1', [id, zone])
  await look.rows(
    `insert into tasks (tenant_id, project_id, title, assignee_id, reporter_id, due_date, created_at, updated_at)
     select $1, $2, 'Task ' || n, $3, $3, (now() at time zone $4)::date, now(), now() from generate_series(1, ${TASKS}) n`,
    [id, project.id, administrator.id, zone],
  )
  // From the second batch on they stop in front of the commit, while the test holds the lock.
  await look.rows(`create function stop_here() returns trigger language plpgsql as $$
    begin if old.last_task > 0 then perform pg_advisory_xact_lock_shared(${LOCK}); end if; return new; end $$`)
  await look.rows(
    allowed('create trigger stop_here before update on reminder_rounds for each row execute function stop_here()'),
  )

  for (let kill = 0; kill < KILLS; kill++) {
    const release = await hold(await holderOf(databaseUrl, id), `select pg_advisory_lock(${LOCK})`)
    services = await Promise.all([1, 2].map(() => startProcess({ databaseUrl })))
    expect(await waitsForLock(world, Promise.race(services.map(({ ended }) => ended)))).toBe(true)
    await killBoth()
    await release()
  }
  await startProcess({ databaseUrl })
  await expect
    .poll(() => look.count('select count(*) from reminder_rounds where tenant_id = $1 and ended', [id]))
    .toBe(1)
  await untilDelivered(look)

  const [found] = await look.rows(
    `select count(*)::int as all, count(distinct resource_id)::int as tasks from notifications where type = 'TASK_DUE'`,
  )
  expect(found).toEqual({ all: TASKS, tasks: TASKS })
})
