import { api, type Health } from '#console/lib/api.ts'
import { html, type View } from '#console/lib/html.ts'
import { bytesText, format, numberText, t, timeText } from '#console/lib/language.ts'
import { useLoad, useRepeat } from '#console/lib/load.ts'
import { Curve, type Line } from '#console/parts/curve.ts'
import { Badge, factList, Page, Show } from '#console/parts/page.ts'

const EVERY_MS = 10_000
const HOUR_MS = 3600_000

/** The last hour of the service, in curves that go on by themselves. */
export default function HealthPage(): View {
  const health = useLoad(() => api.getHealth(), [])
  useRepeat(health, EVERY_MS)
  return html`<${Page} title=${t('Health')}>
    <${Show} of=${health}>${(found: Health) => html`
      <${Summary} of=${found} />
      ${
        found.series.every(({ points }) => points.length === 0)
          ? html`<p class="quiet" role="status">${t('The first points appear ten seconds after the start.')}</p>`
          : html`<div class="curves">
              ${pictures().map(({ title, lines, text }) => html`<${Curve} key=${title} title=${title} text=${text} lines=${linesOf(found, lines)} isWhole=${text === numberText} span=${HOUR_MS} />`)}
            </div>`
      }
      <p class="quiet">${t('The last hour, kept in memory. The processes of one machine are seen together; other machines only if Redis is configured.')}</p>
    `}<//>
  <//>`
}

function Summary({ of: { readiness, version, startedAt, database } }: { of: Health }): View {
  const { used, most } = database.connections
  return factList([
    [t('State'), html`<${Readiness} of=${readiness} />`],
    [t('Version'), `${version}, ${t('running since {time}', { time: timeText(startedAt) })}`],
    [
      t('Database'),
      html`PostgreSQL ${database.version}, ${bytesText(database.bytes)},
          ${' '}${t('{used} of {most} connections', { used: numberText(used), most: numberText(most) })}`,
    ],
  ])
}

function Readiness({ of: { status, checks } }: { of: Health['readiness'] }): View {
  const wrong = Object.entries(checks).filter(([, check]) => check.status !== 'ok')
  const words = { ok: t('ready'), degraded: t('degraded'), unavailable: t('unavailable'), stopping: t('stopping') }
  return html`<${Badge} kind=${status === 'ok' ? 'good' : status === 'degraded' ? 'warn' : 'bad'}>${words[status]}<//>
    ${wrong.map(([name, check]) => html` <span>${name}: ${check.status}</span>`)}`
}

interface Picture {
  title: string
  /** the series, and what each is called in the picture */
  lines: readonly (readonly [series: string, name: string])[]
  text(value: number): string
}

const perSecond = (value: number) => t('{count}/s', { count: numberText(value) })
const milliseconds = format({ style: 'unit', unit: 'millisecond', maximumSignificantDigits: 3 })

const pictures = (): Picture[] => [
  {
    title: t('Requests'),
    lines: [
      ['requests', t('all')],
      ['failures', t('failed')],
      ['refusals', t('refused')],
    ],
    text: perSecond,
  },
  {
    title: t('Time to answer'),
    lines: [
      ['p50', t('median')],
      ['p99', t('99th percentile')],
    ],
    text: milliseconds,
  },
  { title: t('Busy event loop'), lines: [['eventLoop', '']], text: format({ style: 'percent' }) },
  { title: t('Connections of clients'), lines: [['connections', '']], text: numberText },
  { title: t('Connections to the database'), lines: [['databaseConnections', '']], text: numberText },
  {
    title: t('What waits'),
    lines: [
      ['outbox', t('notifications')],
      ['mail', t('mails')],
      ['deliveries', t('deliveries')],
    ],
    text: numberText,
  },
  { title: t('Memory'), lines: [['memory', '']], text: bytesText },
  { title: t('Cached public pages'), lines: [['caches', '']], text: bytesText },
  { title: t('Processes'), lines: [['processes', '']], text: numberText },
]

/** An instant at which a series has nothing, such as a duration without requests, is a gap of its line. */
function linesOf({ series }: Health, lines: Picture['lines']): Line[] {
  const instants = series.find(({ name }) => name === 'requests')!.points.map(([at]) => at)
  return lines.map(([name, words]) => {
    const values = new Map(series.find((one) => one.name === name)?.points)
    return { name: words, points: instants.map((at) => [at, values.get(at) ?? null] as const) }
  })
}
