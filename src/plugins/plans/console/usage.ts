import { api, type TenantUsage } from '#console/lib/api.ts'
import { html, type View } from '#console/lib/html.ts'
import { bytesText, format, numberText, t } from '#console/lib/language.ts'
import { useLoad } from '#console/lib/load.ts'
import { Badge, Page, Show } from '#console/parts/page.ts'
import { table } from '#console/parts/table.ts'

interface Line {
  name: string
  used: number
  limit: number | null
  text: (value: number) => string
}

export default function Usage(): View {
  return html`<${Page} title=${t('Usage')}>
    <${UsageOf} read=${() => api.getTenantUsage()} />
  <//>`
}

export function UsageOf({ read }: { read(): Promise<TenantUsage> }): View {
  const usage = useLoad(read, [])
  return html`<${Show} of=${usage}>${(found: TenantUsage) => html`
      <p>${t('Plan')} <${Badge}>${found.plan}<//></p>
      ${table({
        caption: t('Usage'),
        rows: linesOf(found),
        keyOf: ({ name }) => name,
        columns: [
          { title: t('What'), of: ({ name }) => name },
          { title: t('Used'), isNumber: true, of: ({ used, text }) => text(used) },
          { title: t('Limit'), isNumber: true, of: ({ limit, text }) => (limit === null ? t('none') : text(limit)) },
          { title: t('Part'), of: Part },
        ],
      })}
      <p class="quiet">${t('The plan and its limits are set by the operator of the installation.')}</p>
    `}<//>`
}

const linesOf = ({ people, projects, fileBytes, webhooks, requestsPerMinute }: TenantUsage): Line[] => [
  { name: t('People who can sign in'), ...people, text: numberText },
  { name: t('Projects that are not archived'), ...projects, text: numberText },
  { name: t('Files'), ...fileBytes, text: bytesText },
  { name: t('Webhooks'), ...webhooks, text: numberText },
  { name: t('Requests in the last minute'), ...requestsPerMinute, text: numberText },
]

/** From here on it is time to ask for more. */
const MUCH = 0.9

function Part({ name, used, limit }: Line): View {
  if (limit === null) return null
  const part = limit === 0 ? 1 : used / limit
  return html`<meter min="0" max="1" high=${MUCH} value=${Math.min(part, 1)} aria-label=${name} />
    ${' '}${format({ style: 'percent' })(part)}`
}
