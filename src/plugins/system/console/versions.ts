import { api, type Finding, type Health } from '#console/lib/api.ts'
import { html, type View } from '#console/lib/html.ts'
import { numberText, t, timeText } from '#console/lib/language.ts'
import { useLoad } from '#console/lib/load.ts'
import { Badge, Page, Show } from '#console/parts/page.ts'
import { Table } from '#console/parts/table.ts'

/** What runs, and whether everything is as it needs it. */
export default function Versions(): View {
  const health = useLoad(() => api.getHealth(), [])
  const findings = useLoad(() => api.listFindings(), [])
  return html`<${Page} title=${t('Versions')}>
    <${Show} of=${health}>
      ${({ version, commit, migrations, database, startedAt }: Health) => html`<dl class="facts">
        <dt>${t('Version')}</dt>
        <dd>${version}</dd>
        <dt>${t('Commit')}</dt>
        <dd>${commit ?? t('unknown')}</dd>
        <dt>${t('Migrations')}</dt>
        <dd>${t('{count} applied', { count: numberText(migrations) })}</dd>
        <dt>${t('Database')}</dt>
        <dd>PostgreSQL ${database.version}</dd>
        <dt>${t('Running since')}</dt>
        <dd>${timeText(startedAt)}</dd>
      </dl>`}
    <//>
    <div class="head">
      <h2>${t('What the doctor finds')}</h2>
      <button type="button" aria-disabled=${findings.isLoading} onClick=${() => findings.isLoading || findings.again()}>
        ${findings.isLoading ? t('Working…') : t('Examine again')}
      </button>
    </div>
    <${Show} of=${findings}>
      ${(rows: Finding[]) => html`<${Table}
        caption=${t('What the doctor finds')}
        rows=${[...rows].sort((one, other) => RANK[other.state] - RANK[one.state])}
        keyOf=${({ name, message }: Finding) => `${name} ${message}`}
        columns=${[
          { title: t('State'), of: State },
          { title: t('Check'), of: ({ name }: Finding) => name },
          {
            title: t('Finding'),
            of: ({ message, cure }: Finding) =>
              html`${message}${cure && html`<div class="quiet">${t('What to do: {cure}', { cure })}</div>`}`,
          },
        ]}
      />`}
    <//>
  <//>`
}

const RANK = { ok: 0, warning: 1, failed: 2 } as const

function State({ state }: Finding): View {
  if (state === 'ok') return html`<${Badge} kind="good">${t('good')}<//>`
  return state === 'warning'
    ? html`<${Badge} kind="warn">${t('warning')}<//>`
    : html`<${Badge} kind="bad">${t('failed')}<//>`
}
