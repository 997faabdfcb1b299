import { api, type Job } from '../lib/api.ts'
import { html, useEffect, type View } from '../lib/html.ts'
import { numberText, t, timeText } from '../lib/language.ts'
import { useLoad } from '../lib/load.ts'
import { Badge, Page, Show } from '../parts/page.ts'
import { Table } from '../parts/table.ts'

const EVERY_MS = 10_000
const WITH_SECONDS = { dateStyle: 'medium', timeStyle: 'medium' } as const

/** What the service does in the background, and how the last run ended. */
export default function Jobs(): View {
  const jobs = useLoad(() => api.listJobs(), [])
  useEffect(() => {
    const timer = setInterval(() => document.hidden || jobs.again(), EVERY_MS)
    return () => clearInterval(timer)
  }, [])
  return html`<${Page} title=${t('Jobs')}>
    <p class="quiet">${t('They run by themselves. A run that failed is repeated; the log says why.')}</p>
    <${Show} of=${jobs}>
      ${(rows: Job[]) => html`<${Table}
        caption=${t('Jobs')}
        rows=${rows}
        keyOf=${({ name }: Job) => name}
        columns=${[
          { title: t('Job'), of: ({ name }: Job) => wordsFor(name) },
          {
            title: t('Last run'),
            of: ({ lastRunAt }: Job) => (lastRunAt ? timeText(lastRunAt, WITH_SECONDS) : t('not yet')),
          },
          { title: t('Result'), of: Result },
          {
            title: t('Took'),
            isNumber: true,
            of: ({ lastDurationMs }: Job) =>
              lastDurationMs !== null && t('{count} ms', { count: numberText(lastDurationMs) }),
          },
          {
            title: t('Next run'),
            of: ({ nextRunAt }: Job) => (nextRunAt ? timeText(nextRunAt, WITH_SECONDS) : t('running now')),
          },
        ]}
      />`}
    <//>
  <//>`
}

function Result({ lastResult }: Job): View {
  if (lastResult === null) return null
  const isGood = lastResult === 'ok'
  return html`<${Badge} kind=${isGood ? 'good' : 'bad'}>${isGood ? t('succeeded') : t('failed')}<//>`
}

/** The jobs that the service brings, in words; one of a domain from outside has its own name. */
function wordsFor(name: string): string {
  const known: Record<string, string> = {
    'expired rows': t('Remove what has expired'),
    'the outbox': t('Deliver notifications'),
    'the events': t('Number events'),
    'the chains of the audit': t('Chain the audit'),
    'the outbox of mails': t('Send mail'),
    'the deliveries of webhooks': t('Deliver webhooks'),
    'the files': t('Compare stored files with their rows'),
    'temporary files': t('Remove temporary files'),
    'sightings of sessions': t('Note when sessions were last seen'),
    'requests for new passwords': t('Answer requests for new passwords'),
    'notices of expiry': t('Announce that a tenant expires'),
    'tenants to erase': t('Erase tenants that were closed'),
    reminders: t('Remind of due tasks'),
    substitutions: t('Begin and end substitutions'),
    names: t('Compare names that look alike'),
    'codes of categories': t('Compare codes of categories that look alike'),
    'codes of departments': t('Compare codes of departments that look alike'),
    'codes of projects': t('Compare codes of projects that look alike'),
  }
  return known[name] ?? name
}
