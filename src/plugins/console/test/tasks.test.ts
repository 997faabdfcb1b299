import { expect, test } from 'vitest'
import { describeConsole } from '#test/console-story.ts'
import { until } from '#test/patience.ts'

describeConsole('the page of tasks', (desk) => {
  const { press, confirm, says, label } = desk

  test('a task is deleted after a question, and is restored from the bin of its project', async () => {
    const { world, tenant } = desk
    const boss = world.as(tenant.administrator)
    const ada = await world.givenUser(tenant)
    const project = await world.givenProject(ada, { name: 'Relaunch' })
    const task = await world.givenTask(ada, project, { title: 'Paint' })
    const page = await desk.open('tasks')
    await press('Delete: Paint')
    await page.getByRole('dialog').getByText('It can be restored for 30 days.').waitFor()
    await confirm('Delete')
    await says('Paint was deleted.')
    ;(await boss.get(`/tasks/${task.id}`)).expect(404)

    await label('Project').selectOption('Relaunch')
    await label('Show').selectOption('Bin')
    await label('Language').selectOption('zh-CN')
    await press('恢复: Paint')
    await says('Paint 已恢复。')
    await page.getByText('该项目的回收站是空的').waitFor()
    expect((await boss.get(`/tasks/${task.id}`)).expect(200)).toMatchObject({ version: 1 })

    await desk.open('tasks', await world.givenUser(tenant))
    await desk.page.getByText('There are no such tasks.').waitFor()
  })

  test('of many projects each has its name beside its tasks, and is chosen from all', async () => {
    const { world } = desk
    const tenant = await world.givenTenant()
    const boss = tenant.administrator
    const givenTaskIn = async (name: string) => {
      const project = await world.givenProject(boss, { name })
      await world.givenTask(boss, project, { title: `Work on ${name}` })
      return project
    }
    const first = await givenTaskIn('Alpha')
    await world.look.rows(
      `insert into projects (tenant_id, name, code, owner_id, created_at, updated_at)
       select $1, 'Other ' || n, 'OTHER-' || n, $2, now(), now() from generate_series(1, 50) n`,
      [tenant.id, boss.id],
    )
    const last = await givenTaskIn('Omega')
    const page = await desk.open('tasks', boss)
    for (const name of ['Alpha', 'Omega'])
      await page
        .getByRole('row', { name: `Work on ${name}` })
        .getByRole('cell', { name, exact: true })
        .waitFor()
    for (const { id } of [first, last]) {
      await desk.open(`tasks?projectId=${id}`, boss)
      await until(async () => (await label('Project').inputValue()) === String(id))
    }
  })
})
