import { expect, test } from 'vitest'
import { interleave } from '#test/interleave.ts'
import { jobHost } from '#test/jobs.ts'
import { openWorld } from '#test/world.ts'
import { openScope } from '../../../../data/tx/open-scope.ts'
import { reminding } from '../../reminders.ts'

const world = await openWorld()

test('a reminder that two processes are about to send is sent by one of them', async () => {
  const day = '2026-11-24'
  const tenant = await world.givenTenant()
  const boss = tenant.administrator
  const ann = await world.givenUser(tenant)
  const project = await world.givenProject(ann)
  await world.givenTask(boss, project, { assigneeId: ann.id, dueDate: day })
  await world.look.rows('insert into reminder_rounds (tenant_id, day) values ($1, $2)', [tenant.id, day])
  const host = jobHost(world.database)
  const remind = async () => {
    const { inTenants, work } = reminding(() => new Date(`${day}T09:00:00Z`))
    await inTenants.among!(world.database)
    await work(openScope(world.database, tenant.id), host, new AbortController().signal)
  }

  await interleave(world, remind, remind)

  const inbox = (await world.as(ann).get('/notifications')).expect(200)
  expect(inbox.filter(({ type }: any) => type === 'TASK_DUE')).toHaveLength(1)
})
