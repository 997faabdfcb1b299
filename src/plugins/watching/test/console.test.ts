import { expect, test } from 'vitest'
import { describeConsole } from '#test/console-story.ts'

describeConsole('watching in the console', (desk) => {
  test.each(['task', 'project'])(
    'a %s is watched with its button, and the list of what one watches ends it',
    async (kind) => {
      const boss = desk.tenant.administrator
      const project = await desk.world.givenProject(boss, { name: 'Relaunch' })
      const task = await desk.world.givenTask(boss, project, { title: 'Paint' })
      const [id, title] = kind === 'task' ? [task.id, 'Paint'] : [project.id, 'Relaunch']
      const watched = async () => {
        const all = (await desk.world.as(boss).get('/users/me/watching')).expect(200)
        return all.filter(({ resourceType }: any) => resourceType === kind)
      }
      const page = await desk.open(`${kind}s/${id}`)
      const button = page.getByRole('button', { name: 'Watch', exact: true })
      for (const isPressed of [true, false, true]) {
        await button.click()
        await page.getByRole('button', { name: 'Watch', exact: true, pressed: isPressed }).waitFor()
        expect(await watched()).toEqual(isPressed ? [{ resourceType: kind, resourceId: id, title }] : [])
      }

      await desk.open('watching')
      await desk.page.getByRole('link', { name: title }).waitFor()
      await desk.press(`Stop watching ${title}`)
      await desk.page.getByRole('link', { name: title }).waitFor({ state: 'detached' })
      expect(await watched()).toEqual([])
    },
  )
})
