import { api, type ImportReport } from '#console/lib/api.ts'
import { useCommand } from '#console/lib/command.ts'
import { html, useId, useState, type View } from '#console/lib/html.ts'
import { t } from '#console/lib/language.ts'
import { useLoad } from '#console/lib/load.ts'
import { may } from '#console/lib/me.ts'
import { Failure, say } from '#console/parts/notice.ts'
import { Page } from '#console/parts/page.ts'
import { table } from '#console/parts/table.ts'
import { rowsOf } from './rows.ts'

type Mistake = ImportReport['errors'][number]
interface Chosen {
  text: string
  report: ImportReport
}
const PEOPLE = 'people'

/** Tables that become tasks or people. A file is tried first, and its mistakes are shown. */
export default function Import(): View {
  const id = useId()
  const projects = useLoad((signal) => Array.fromAsync(api.each.listProjects({ status: 'ACTIVE' }, { signal })), [])
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
  // The browser is silent when the file that is there already is chosen once more.
  const clear = (event: Event) => {
    ;(event.target as HTMLInputElement).value = ''
  }
  const turn = (event: Event) => {
    setInto((event.target as HTMLSelectElement).value)
    choose(undefined)
  }
  const report = chosen?.report
  return html`<${Page} title=${t('Import')}>
    <section class="sheet">
      <p>${t('A table of comma-separated values, with the names of the columns in its first row. Tasks have title, description, priority, dueDate and assignee; people have username, password, nickname, email, phone, realName, status and roles.')}</p>
      <div class="field">
        <label for=${`${id}-into`}>${t('Import into')}</label>
        <select id=${`${id}-into`} onChange=${turn}>
          <option value="" selected=${!into}>${t('Choose')}</option>
          ${may('user:create') && html`<option value=${PEOPLE}>${t('People')}</option>`}
          ${projects.data?.map(({ id, name }) => html`<option value=${id}>${t('Tasks of {project}', { project: name })}</option>`)}
        </select>
      </div>
      <div class="field">
        <label for=${`${id}-file`}>${t('File')}</label>
        <input type="file" id=${`${id}-file`} accept=".csv,text/csv" disabled=${!into || trial.isBusy} onClick=${clear} onChange=${pick} />
      </div>
      <${Failure} of=${projects.failure ?? trial.failure ?? command.failure} />
      ${
        report &&
        html`
        <p role="status">${t('{count} rows', { count: report.rows })}</p>
        ${report.ignored.length > 0 && html`<p class="quiet">${t('Columns that mean nothing here: {names}', { names: report.ignored.join(', ') })}</p>`}
        ${
          report.errors.length > 0
            ? html`<${Mistakes} text=${chosen.text} of=${report.errors} />`
            : html`<div class="actions"><button type="button" class="main" aria-disabled=${command.isBusy} onClick=${() => command.isBusy || void command.run(chosen)}>${t('Import all rows')}</button></div>`
        }`
      }
    </section>
  <//>`
}

/** The rows that have mistakes, as they stand in the file, each mistake below the value that it is about. */
function Mistakes({ text, of }: { text: string; of: readonly Mistake[] }): View {
  const rows = rowsOf(text)
  const [header = []] = rows
  const names = header.map((name) => name.trim())
  const wrong = [...Map.groupBy(of, ({ row }) => row)]
  const isElsewhere = ({ column }: Mistake) => column === null || !names.includes(column)
  return table({
    rows: wrong,
    caption: t('Mistakes'),
    keyOf: ([row]) => row,
    columns: [
      { title: t('Row'), isNumber: true, of: ([row]) => row },
      ...names.map((name, at) => ({
        title: name,
        of: ([row, mistakes]: (typeof wrong)[number]) =>
          html`${rows[row - 1]?.[at]}<${Notes} of=${mistakes.filter(({ column }) => column === name)} />`,
      })),
      { title: t('Mistake'), of: ([, mistakes]) => html`<${Notes} of=${mistakes.filter(isElsewhere)} />` },
    ],
  })
}

function Notes({ of }: { of: readonly Mistake[] }): View {
  const words = ({ column, message }: Mistake) => (column === null ? message : `${column} ${message}`)
  return html`${of.map((mistake) => html`<div class="wrong">${words(mistake)}</div>`)}`
}
