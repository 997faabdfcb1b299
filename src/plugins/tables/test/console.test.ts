import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { endPatience } from '#test/console.ts'
import { describeConsole } from '#test/console-story.ts'

describeConsole('tables in the console', (desk) => {
  const boss = () => desk.world.as(desk.tenant.administrator)
  const file = (text: string) => ({ name: 'tasks.csv', mimeType: 'text/csv', buffer: Buffer.from(text) })

  test('the mistakes of a table stand beside its rows, and without mistakes it is imported', async () => {
    const project = await desk.world.givenProject(desk.tenant.administrator, { name: 'Relaunch' })
    const page = await desk.open('import')
    await desk.label('Import into').selectOption('Tasks of Relaunch')
    await desk.label('File').setInputFiles(file('title,priority,color\nPaint,HIGH,red\n"Walls, first",SOON,\n'))
    await page.getByText('Columns that mean nothing here: color').waitFor()
    const [header, ...rows] = await page.getByRole('row').all()
    expect(await header!.getByRole('columnheader').allTextContents()).toEqual([
      ...['Row', 'title', 'priority', 'color', 'Mistake'],
    ])
    expect(rows).toHaveLength(1)
    const cells = await rows[0]!.getByRole('cell').allTextContents()
    expect(cells.map((text) => text.trim())).toEqual([
      ...['3', 'Walls, first', expect.stringMatching(/^SOON.*priority must be one of LOW/), '', ''],
    ])

    await desk.label('File').setInputFiles(file('title,priority\nPaint,HIGH\nWalls,LOW\n'))
    await desk.page.getByRole('button', { name: 'Import all rows' }).waitFor()
    // An import takes as long as it takes.
    await endPatience(page, '/tasks/import', 'request')
    await desk.press('Import all rows')
    await desk.says('2 rows were imported.')
    const tasks = (await boss().get(`/projects/${project.id}/tasks?sort=id`)).expect(200)
    expect(tasks.map(({ title }: any) => title)).toEqual(['Paint', 'Walls'])
  })

  test.each([
    ['projects', 'Relaunch of all'],
    ['tasks', 'Paint it all'],
  ])('the list of %s is saved whole', async (path, name) => {
    const project = await desk.world.givenProject(desk.tenant.administrator, { name: 'Relaunch of all' })
    await desk.world.givenTask(desk.tenant.administrator, project, { title: 'Paint it all' })
    const page = await desk.open(path)
    // Otherwise the browser asks where to save it.
    await page.evaluate('globalThis.showSaveFilePicker = undefined')
    const [download] = await Promise.all([page.waitForEvent('download'), desk.press('Save as CSV')])
    expect(download.suggestedFilename()).toMatch(new RegExp(`^${path}-\\d{4}-\\d\\d-\\d\\d\\.csv$`))
    expect(readFileSync(await download.path(), 'utf8')).toContain(name)
  })

  test('tasks are imported into any of many projects', async () => {
    const { id, administrator } = await desk.world.givenTenant()
    await desk.world.look.rows(
      `insert into projects (tenant_id, name, code, owner_id, created_at, updated_at)
       select $1, 'Project ' || n, 'P-' || n, $2, now(), now() from generate_series(1, 501) n`,
      [id, administrator.id],
    )
    const page = await desk.open('import', administrator)
    for (const number of [1, 501])
      await page.getByRole('option', { name: `Tasks of Project ${number}`, exact: true }).waitFor({ state: 'attached' })
  })

  test('a file that is chosen again is tried again, because the field is empty before', async () => {
    await desk.world.givenProject(desk.tenant.administrator, { name: 'Twice' })
    const page = await desk.open('import')
    await desk.label('Import into').selectOption('Tasks of Twice')
    await desk.label('File').setInputFiles(file('title\nPaint\n'))
    await page.getByText('1 rows').waitFor()
    expect(await desk.label('File').inputValue()).toContain('tasks.csv')
    await Promise.all([page.waitForEvent('filechooser'), desk.label('File').click()])
    expect(await desk.label('File').inputValue()).toBe('')
  })
})
