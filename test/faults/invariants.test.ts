import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, expect, test } from 'vitest'
import { cloneDatabase, type Inspector, openInspector } from '../support/database.ts'
import { checkDatabase, checkHistory } from '../support/invariants.ts'
import { type ServiceProcess, startProcess } from '../support/service.ts'
import { type Entry, foundCompanies, startWorkload } from '../support/workload.ts'

let service: ServiceProcess | undefined
let look: Inspector | undefined
afterEach(async () => {
  await service?.end('SIGKILL')
  await look?.close()
})

test('the invariants that the other tests rely on do see a loss, a double and a stranger', async () => {
  const databaseUrl = await cloneDatabase()
  look = await openInspector(databaseUrl)
  service = await startProcess({ databaseUrl })
  const workload = startWorkload(() => service!.remote, await foundCompanies(service.remote), { clients: 16, reads: 0 })
  await sleep(1500)
  await workload.stop()
  const { history } = workload
  const violated = async (entries: Entry[]) =>
    [...(await checkHistory(look!, entries)), ...(await checkDatabase(look!))]
      .filter(({ violations }) => violations > 0)
      .map(({ id }) => id)
  expect(await violated(history)).toEqual([])

  const some = (kind: Entry['kind'], outcome: Entry['outcome'] = 'ok') =>
    history.find((entry) => entry.kind === kind && entry.outcome === outcome)!
  const lost = some('comment')
  await look.rows('delete from task_comments where id = $1', [lost.comment])
  await look.rows('delete from audit_operations where request_id = any($1)', [[some('createTask').id, lost.id]])
  await look.rows('update activities set request_id = $1 where request_id = $2', [
    some('updateTask', 'refused').id,
    some('updateTask').id,
  ])
  await look.rows('delete from notifications where id = (select min(id) from notifications)')
  await look.rows(`update activities set actor_id = 1 where id = (select max(id) from activities)`)
  await look.rows(`update tasks set version = version + 1, title = 'x' where version > 0`)
  await look.rows(`update activities set new_value = 'TODO' where action = 'STATUS_CHANGED'`)
  await look.rows('delete from project_members where user_id in (select assignee_id from tasks)')
  await look.rows(`update projects set status = 'ARCHIVED', archived_at = created_at - interval '1 second'`)
  const [one, two] = history.filter(
    (entry) => entry.kind === 'createProject' && entry.outcome === 'ok' && entry.tenant === lost.tenant,
  )
  const forged = history.map((entry) => {
    if (entry === two) return { ...entry, actor: one!.actor, key: one!.key! }
    return entry.id === some('createTask').id ? { ...entry, outcome: 'unknown' as const } : entry
  })

  expect(await violated(forged)).toEqual([
    ...['I1', 'I2', 'I2u', 'I3', 'I4', 'I11'],
    ...['I4c', 'I5', 'I6', 'I7', 'I8', 'I9', 'I10'],
  ])
})
