import { api } from '../../lib/api.ts'
import { html, useState, type View } from '../../lib/html.ts'
import { numberText, t } from '../../lib/language.ts'
import { useLoad } from '../../lib/load.ts'
import { Curve, type Line } from '../../parts/curve.ts'
import { Show } from '../../parts/page.ts'

type Filters = { from?: string; to?: string }

const HOUR_MS = 3600_000
const MOST_REQUESTS = 5000
const AT_A_TIME = 500

interface Picture {
  lines: Line[]
  count: number
  /** there were more than are counted */
  isPart: boolean
}

/** The requests of a day by the hour; without a chosen day, of the last 24 hours. It is read when it is opened. */
export function DayPicture({ filters }: { filters: Filters }): View {
  const [isOpen, open] = useState(false)
  return html`<details class="sheet" onToggle=${(event: Event) => open((event.target as HTMLDetailsElement).open)}>
    <summary>${filters.from ? t('A picture of the day') : t('A picture of the last 24 hours')}</summary>
    ${isOpen && html`<${Counted} key=${JSON.stringify(filters)} filters=${filters} />`}
  </details>`
}

function Counted({ filters }: { filters: Filters }): View {
  const picture = useLoad((signal) => count(filters, signal), [])
  return html`<${Show} of=${picture}>${({ lines, count, isPart }: Picture) => html`
    <${Curve} title=${t('Requests by the hour')} lines=${lines} text=${numberText} isColumns isWhole />
    ${isPart && html`<p class="quiet">${t('The newest {count} requests; there are more.', { count: numberText(count) })}</p>`}
  `}<//>`
}

async function count(filters: Filters, signal: AbortSignal): Promise<Picture> {
  const from = Date.parse(filters.from ?? new Date(Date.now() - 24 * HOUR_MS).toISOString())
  const to = Math.min(filters.to ? Date.parse(filters.to) : Date.now(), Date.now())
  const all = new Map<number, number>()
  const refused = new Map<number, number>()
  for (let hour = hourOf(from); hour <= to; hour += HOUR_MS) {
    all.set(hour, 0)
    refused.set(hour, 0)
  }
  let seen = 0
  let isPart = false
  const wanted = { ...filters, from: new Date(from).toISOString(), pageSize: AT_A_TIME }
  for await (const { createdAt, status } of api.each.listAuditOperations(wanted, { signal })) {
    if (seen === MOST_REQUESTS) {
      isPart = true
      break
    }
    seen++
    const hour = hourOf(Date.parse(createdAt))
    all.set(hour, (all.get(hour) ?? 0) + 1)
    if (status >= 400) refused.set(hour, (refused.get(hour) ?? 0) + 1)
  }
  return {
    lines: [
      { name: t('all'), points: pointsOf(all) },
      { name: t('refused'), points: pointsOf(refused) },
    ],
    count: seen,
    isPart,
  }
}

const hourOf = (ms: number) => Math.floor(ms / HOUR_MS) * HOUR_MS

const pointsOf = (counts: ReadonlyMap<number, number>) =>
  [...counts].sort(([one], [other]) => one - other).map(([at, count]) => [new Date(at).toISOString(), count] as const)
