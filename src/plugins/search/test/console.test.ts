import { expect, test } from 'vitest'
import { describeConsole } from '#test/console-story.ts'
import { until } from '#test/patience.ts'

describeConsole('the search', (desk) => {
  const boss = () => desk.world.as(desk.tenant.administrator)
  const found = (q: string) => until(async () => (await boss().get(`/search?q=${q}`)).expect(200).length > 0)

  test('is on every page: its key, some letters, and the page of what was found', async () => {
    const request = { type: 'purchase', title: 'Marzipan for everybody' }
    const { id } = (await boss().post('/approvals', request)).expect(201)
    await found('marzipan')
    const page = await desk.open('people')
    await page.keyboard.press('/')
    await page.getByRole('combobox', { name: 'Page, person or request' }).fill('marzip')
    await page.getByRole('option', { name: 'Marzipan for everybody' }).first().click()
    await page.getByRole('heading', { name: 'Marzipan for everybody' }).waitFor()
    expect(page.url()).toMatch(new RegExp(`/console/approvals/${id}$`))
  })

  test('shows all that it finds, with the part that fits, also what has no page of its own', async () => {
    const project = await desk.world.givenProject(desk.tenant.administrator)
    const task = { title: 'Bake', description: 'A cake with nougat' }
    await desk.world.givenTask(desk.tenant.administrator, project, task)
    await found('nougat')
    const page = await desk.open('people')
    await page.keyboard.press('/')
    await page.getByRole('combobox', { name: 'Page, person or request' }).fill('nougat')
    await page.getByRole('option', { name: 'Search everywhere' }).click()
    await page.getByText('A cake with nougat').waitFor()
    expect(await page.getByRole('cell', { name: 'Bake' }).count()).toBe(1)
    await page.getByLabel('Kind').selectOption('project')
    await page.getByText('Nothing was found.').waitFor()
  })
})
