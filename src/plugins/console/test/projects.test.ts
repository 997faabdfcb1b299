import { expect, test } from 'vitest'
import { describeConsole } from '#test/console-story.ts'
import { until } from '#test/patience.ts'
import type { Person } from '#test/world.ts'

/** As the console names somebody. */
const shown = ({ username }: Person) => username.replace('person-', 'Person ')

describeConsole('the page of a project', (desk) => {
  const { press, confirm, says, label } = desk

  test('shows who is in it, and gives and takes roles', async () => {
    const { world, tenant } = desk
    const owner = await world.givenUser(tenant)
    const ada = await world.givenUser(tenant)
    const project = await world.givenProject(owner, { name: 'Relaunch' })
    const page = await desk.open('projects', owner)
    await page.getByRole('link', { name: 'Relaunch' }).click()
    const roles = async () => {
      const members = (await world.as(owner).get(`/projects/${project.id}/members`)).expect(200)
      return Object.fromEntries(members.map(({ userId, role }: any) => [userId, role]))
    }

    await page.getByRole('combobox', { name: 'Person' }).fill(ada.username)
    await page.getByRole('option', { name: ada.username }).click()
    await label('Role').selectOption('viewer')
    await press('Add to the project')
    await label(`Role of ${shown(ada)}`).waitFor()
    expect(await roles()).toEqual({ [owner.id]: 'member', [ada.id]: 'viewer' })
    await label(`Role of ${shown(ada)}`).selectOption('member')
    await says(`${shown(ada)} is now: member.`)
    expect(await roles()).toMatchObject({ [ada.id]: 'member' })

    // A refusal is told, and the role is again what it was.
    await world.givenTask(owner, project, { assigneeId: ada.id })
    await label(`Role of ${shown(ada)}`).selectOption('viewer')
    await page.getByRole('alert').waitFor()
    await until(async () => (await label(`Role of ${shown(ada)}`).inputValue()) === 'member')

    const eve = await world.givenUser(tenant)
    await world.givenMember(owner, project, eve)
    await desk.open(`projects/${project.id}`, owner)
    await press(`Remove: ${shown(eve)}`)
    await confirm('Remove')
    await label(`Role of ${shown(eve)}`).waitFor({ state: 'detached' })
    expect(await roles()).toEqual({ [owner.id]: 'member', [ada.id]: 'member' })
  })

  test('who is to be added stays chosen while more members are shown', async () => {
    const { world, tenant } = desk
    const [owner, ada] = [await world.givenUser(tenant), await world.givenUser(tenant)]
    const project = await world.givenProject(owner, { name: 'Relaunch' })
    await world.look.rows(
      `with people as (
         insert into users (tenant_id, username, password_hash)
         select $1, 'member-' || n, '-' from generate_series(1, 51) n returning id)
       insert into project_members (tenant_id, project_id, user_id, created_at) select $1, $2, id, now() from people`,
      [tenant.id, project.id],
    )
    const page = await desk.open(`projects/${project.id}`, owner)
    await page.getByRole('combobox', { name: 'Person' }).fill(ada.username)
    await page.getByRole('option', { name: ada.username }).click()
    await press('Show more')
    await page.getByText('52 in all').waitFor()
    expect(await page.getByRole('combobox', { name: 'Person' }).inputValue()).toBe(shown(ada))
  })

  test('offers no changes to a viewer', async () => {
    const { world, tenant } = desk
    const owner = await world.givenUser(tenant)
    const viewer = await world.givenUser(tenant)
    const project = await world.givenProject(owner, { name: 'Relaunch' })
    ;(await world.as(owner).put(`/projects/${project.id}/members/${viewer.id}`, { role: 'viewer' })).expect(200)
    const page = await desk.open(`projects/${project.id}`, viewer)
    await page.getByRole('cell', { name: 'viewer', exact: true }).waitFor()
    for (const name of ['Add to the project', `Remove: ${shown(viewer)}`])
      expect(await page.getByRole('button', { name, exact: true }).count()).toBe(0)
  })
})
