import type { Words } from '#console/extension.ts'
import { extensions } from '#console/extensions.ts'
import { api, type Job } from '#console/lib/api.ts'
import { html, type View } from '#console/lib/html.ts'
import { numberText, t, timeText, WITH_SECONDS } from '#console/lib/language.ts'
import { useLoad, useRepeat } from '#console/lib/load.ts'
import { Badge, Page, Show } from '#console/parts/page.ts'
import { table } from '#console/parts/table.ts'

const EVERY_MS = 10_000

/** What the service does in the background, and how the last run ended. */
export default function Jobs(): View {
  const jobs = useLoad(() => api.listJobs(), [])
  useRepeat(jobs, EVERY_MS)
  return html`<${Page} title=${t('Jobs')}>
    <p class="quiet">${t('They run by themselves. A run that failed is repeated; the log says why.')}</p>
    <${Show} of=${jobs}>${(rows: Job[]) =>
      table({
        caption: t('Jobs'),
        rows,
        keyOf: ({ name }) => name,
        columns: [
          { title: t('Job'), of: ({ name }) => wordsFor(name) },
          {
            title: t('Last run'),
            isTime: true,
            of: ({ lastRunAt }) => (lastRunAt ? timeText(lastRunAt, WITH_SECONDS) : t('not yet')),
          },
          { title: t('Result'), of: Result },
          {
            title: t('Took'),
            isNumber: true,
            of: ({ lastDurationMs }) =>
              lastDurationMs !== null && t('{count} ms', { count: numberText(lastDurationMs) }),
          },
          {
            title: t('Next run'),
            isTime: true,
            of: ({ nextRunAt }) => (nextRunAt ? timeText(nextRunAt, WITH_SECONDS) : t('running now')),
          },
        ],
      })}<//>
  <//>`
}

function Result({ lastResult }: Job): View {
  if (lastResult === null) return null
  const isGood = lastResult === 'ok'
  return html`<${Badge} kind=${isGood ? 'good' : 'bad'}>${isGood ? t('succeeded') : t('failed')}<//>`
}

/** The jobs that are known, in words; another has its own name. */
function wordsFor(name: string): string {
  const known: Words = Object.assign({}, ...extensions.map(({ jobs }) => jobs))
  return t(known[name] ?? name)
}
