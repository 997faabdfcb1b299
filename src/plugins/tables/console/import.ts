import { api, type ImportReport } from '#console/lib/api.ts'
import { useCommand } from '#console/lib/command.ts'
import { html, useState, type View } from '#console/lib/html.ts'
import { t } from '#console/lib/language.ts'
import { useLoad } from '#console/lib/load.ts'
import { may } from '#console/lib/me.ts'
import { Failure, say } from '#console/parts/notice.ts'
import { Page } from '#console/parts/page.ts'
import { Table } from '#console/parts/table.ts'

type Mistake = ImportReport['errors'][number]
interface Chosen {
  text: string
  report: ImportReport
}
const PEOPLE = 'people'

/** Tables that become tasks or people. A file is tried first, and its mistakes are shown. */
export default function Import(): View {
  const projects = useLoad((signal) => api.listProjects({ status: 'ACTIVE' }, { signal }), [])
  const [into, setInto] = useState<string>()
  const [chosen, choose] = useState<Chosen>()
  const send = (text: string, dryRun: boolean): Promise<ImportReport> =>
    into === PEOPLE
      ? api.importUsers({ dryRun, body: text })
      : api.importTasks({ id: Number(into), dryRun, body: text })
  const trial = useCommand(async (file: File) => {
    choose(undefined)
    const text = await file.text()
    choose({ text, report: await send(text, true) })
  })
  const command = useCommand(
    ({ text }: Chosen) => send(text, false),
    ({ created }) => {
      choose(undefined)
      say(t('{count} rows were imported.', { count: created }))
    },
  )
  const pick = (event: Event) => {
    const [file] = (event.target as HTMLInputElement).files ?? []
    if (file) void trial.run(file)
  }
  const turn = (event: Event) => {
    setInto((event.target as HTMLSelectElement).value)
    choose(undefined)
  }
  const report = chosen?.report
  return html`<${Page} title=${t('Import')}>
    <section class="sheet">
      <p>${t('A table of comma-separated values, with the names of the columns in its first row. Tasks have title, description, priority, dueDate and assignee; people have username, password, nickname, email, phone, realName, status and roles.')}</p>
      <label>${t('Import into')} <select onChange=${turn}>
        <option value="" selected=${!into}>${t('Choose')}</option>
        ${may('user:create') && html`<option value=${PEOPLE}>${t('People')}</option>`}
        ${projects.data?.map(({ id, name }) => html`<option value=${id}>${t('Tasks of {project}', { project: name })}</option>`)}
      </select></label>
      <label>${t('File')} <input type="file" accept=".csv,text/csv" disabled=${!into || trial.isBusy} onChange=${pick} /></label>
      <${Failure} of=${projects.failure ?? trial.failure ?? command.failure} />
      ${
        report &&
        html`
        <p role="status">${t('{count} rows', { count: report.rows })}</p>
        ${report.ignored.length > 0 && html`<p class="quiet">${t('Columns that mean nothing here: {names}', { names: report.ignored.join(', ') })}</p>`}
        ${
          report.errors.length > 0
            ? html`<${Table} rows=${report.errors} caption=${t('Mistakes')} keyOf=${(one: Mistake) => `${one.row} ${one.column} ${one.message}`} columns=${[
                { title: t('Row'), isNumber: true, of: ({ row }: Mistake) => row },
                { title: t('Column'), of: ({ column }: Mistake) => column },
                { title: t('Mistake'), of: ({ message }: Mistake) => message },
              ]} />`
            : html`<div class="actions"><button type="button" class="main" aria-disabled=${command.isBusy} onClick=${() => command.isBusy || void command.run(chosen)}>${t('Import all rows')}</button></div>`
        }`
      }
    </section>
  <//>`
}
