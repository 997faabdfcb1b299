import { lines } from '../../../../tools/tour/cast.ts'
import { expect } from '../../../../tools/tour/guide.ts'
import type { Part } from '../../../../tools/tour/parts.ts'

/** Tasks that come from a spreadsheet, and go into one. */
const part: Part = {
  shows: 'The list goes into a spreadsheet',
  async tell({ chapter, tell, refused }, { admin, projectId }) {
    chapter('Tables')
    const sheet = (priority: string) => `title,priority\nLevel the ground,HIGH\nPour the concrete,${priority}\n`
    const load =
      (priority: string, how: { dryRun?: true } = {}) =>
      () =>
        admin.importTasks({ id: projectId, ...how, body: sheet(priority) })
    const trial = 'A dry run of a table of tasks names each mistake, and imports nothing.'
    await tell(trial, load('SOON', { dryRun: true }), 200, ({ created, errors }) => {
      expect(created === 0 && errors.length === 1, 'one mistake, and no task')
      return lines(errors, ({ row, column, message }) => `row ${row}, ${column}: ${message}`)
    })
    const earnest = 'Without it, all rows are refused for the same reason.'
    await refused(earnest, load('SOON'), [400, 'IMPORT_REFUSED'], (details) => {
      expect(details.length === 1 && details[0].row === 3, 'the same mistake')
      return lines(details, ({ row, column, message }) => `row ${row}, ${column}: ${message}`)
    })
    await tell('Without mistakes, all become tasks.', load('LOW'), 201, { rows: 2, created: 2 })
    const form = { headers: { accept: 'text/csv' } }
    const table = () => admin.listTasks({ id: projectId }, form) as Promise<unknown> as Promise<Response>
    await tell('The list goes into a spreadsheet, whole and as of one moment.', table, 200, async (answer) => {
      const [header, ...rows] = (await answer.text()).trimEnd().split('\r\n')
      expect(
        header!.startsWith('id,projectId,title,') && rows.some((row) => row.includes('Pour the concrete')),
        'what was imported',
      )
      return `${answer.headers.get('content-disposition')}, ${rows.length} rows`
    })
  },
}
export default part
