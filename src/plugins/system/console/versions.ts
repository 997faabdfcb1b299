import { api, type Finding, type Health } from '#console/lib/api.ts'
import { html, type View } from '#console/lib/html.ts'
import { numberText, t, timeText } from '#console/lib/language.ts'
import { useLoad } from '#console/lib/load.ts'
import { Badge, factList, Page, Show } from '#console/parts/page.ts'
import { table } from '#console/parts/table.ts'

/** What runs, and whether everything is as it needs it. */
export default function Versions(): View {
  const health = useLoad(() => api.getHealth(), [])
  const findings = useLoad(() => api.listFindings(), [])
  return html`<${Page} title=${t('Versions')}>
    <${Show} of=${health}>${({ version, commit, migrations, database, startedAt }: Health) =>
      factList([
        [t('Version'), version],
        [t('Commit'), commit ?? t('unknown')],
        [t('Migrations'), t('{count} applied', { count: numberText(migrations) })],
        [t('Database'), html`PostgreSQL ${database.version}`],
        [t('Running since'), timeText(startedAt)],
      ])}<//>
    <div class="head">
      <h2>${t('What the doctor finds')}</h2>
      <button type="button" aria-disabled=${findings.isLoading} onClick=${() => findings.isLoading || findings.again()}>
        ${findings.isLoading ? t('Working…') : t('Examine again')}
      </button>
    </div>
    <${Show} of=${findings}>${(rows: Finding[]) =>
      table({
        caption: t('What the doctor finds'),
        rows: [...rows].sort((one, other) => RANK[other.state] - RANK[one.state]),
        keyOf: ({ name, message }) => `${name} ${message}`,
        columns: [
          { title: t('State'), of: State },
          { title: t('Check'), of: ({ name }) => name },
          {
            title: t('Finding'),
            of: ({ message, cure }) =>
              html`${message}${cure && html`<div class="quiet">${t('What to do: {cure}', { cure })}</div>`}`,
          },
        ],
      })}<//>
  <//>`
}

const RANK = { ok: 0, warning: 1, failed: 2 } as const

function State({ state }: Finding): View {
  if (state === 'ok') return html`<${Badge} kind="good">${t('good')}<//>`
  return state === 'warning'
    ? html`<${Badge} kind="warn">${t('warning')}<//>`
    : html`<${Badge} kind="bad">${t('failed')}<//>`
}
