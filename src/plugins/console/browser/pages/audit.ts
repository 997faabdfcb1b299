import { type AuditOperation, api } from '../lib/api.ts'
import { html, type View } from '../lib/html.ts'
import { t, timeText, WITH_SECONDS } from '../lib/language.ts'
import { useRows } from '../lib/load.ts'
import { go, place, setQuery } from '../lib/router.ts'
import { Filter, Filters } from '../parts/filters.ts'
import { Badge, Page } from '../parts/page.ts'
import { list } from '../parts/table.ts'
import { DayPicture } from './audit/day-picture.ts'
import { Deed, useNamesIn } from './audit/deed.ts'
import { Story } from './audit/story.ts'

/** Who requested what, and the outcome: `audit?day=2026-11-22&status=403`, and one request at `audit/7c1f-0000002a`. */
export default function Audit({ rest }: { rest: string }): View {
  return rest ? html`<${Story} key=${rest} requestId=${decodeURIComponent(rest)} />` : html`<${Trail} />`
}

/** The filters that are set, as the service takes them. */
function filtersIn(query: URLSearchParams) {
  const day = query.get('day')
  const start = day && new Date(`${day}T00:00:00`)
  const isDay = start && !Number.isNaN(start.getTime())
  const end = isDay && new Date(start.getFullYear(), start.getMonth(), start.getDate() + 1)
  return {
    ...(isDay && end && { from: start.toISOString(), to: end.toISOString() }),
    ...(query.get('method') && { method: query.get('method')! }),
    ...(/^\d{3}$/.test(query.get('status') ?? '') && { status: Number(query.get('status')) }),
    ...(query.get('path') && { path: query.get('path')! }),
    ...(/^\d+$/.test(query.get('userId') ?? '') && { userId: Number(query.get('userId')) }),
  }
}

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const
const STATUSES = ['200', '201', '400', '401', '403', '404', '409', '412', '429', '500', '503'] as const

function Trail(): View {
  const { query } = place.use()
  const filters = filtersIn(query)
  const operations = useRows(() => api.each.listAuditOperations(filters), [query.toString()])
  const nameOf = useNamesIn(operations.data ?? [])
  return html`<${Page} title=${t('Audit')}>
    <${Filters}>
      <${DayField} />
      <${Filter} name="method" label=${t('Method')} all=${t('All')} options=${METHODS.map((method) => [method, method])} />
      <${Filter} name="status" label=${t('Status')} all=${t('All')} options=${STATUSES.map((status) => [status, status])} />
      <${TextFilter} name="path" label=${t('Path begins with')} placeholder="/api/v1/users" />
      <${RequestField} />
      ${query.get('userId') && html`<button type="button" onClick=${() => setQuery({ userId: undefined })}>${t('All people')}</button>`}
    <//>
    <${DayPicture} filters=${filters} />
    ${list({
      of: operations,
      whole: { operation: 'listAuditOperations', filters },
      caption: t('Audit'),
      empty: t('No request fits these filters.'),
      columns: [
        {
          title: t('When'),
          isTime: true,
          of: ({ createdAt, requestId }) =>
            html`<a href=${`/console/audit/${encodeURIComponent(requestId)}`}>${timeText(createdAt, WITH_SECONDS)}</a>`,
        },
        { title: t('Who'), of: Who },
        { title: t('Deed'), of: (operation) => html`<${Deed} of=${operation} nameOf=${nameOf} />` },
        { title: t('Status'), of: ({ status }) => html`<${StatusBadge} status=${status} />` },
      ],
    })}
  <//>`
}

function Who({ userId, username, actorKind, keyPrefix }: AuditOperation): View {
  if (userId === null) return html`<span class="quiet">${username ?? t('a stranger')}</span>`
  const follow = (event: Event) => {
    event.preventDefault()
    setQuery({ userId: String(userId) })
  }
  return html`<a href=${`/console/audit?userId=${userId}`} onClick=${follow}>${username ?? t('a former member')}</a>
    ${actorKind === 'service' && html` <span class="quiet">${keyPrefix}…</span>`}`
}

/** Green below 400, red from 500 on. */
export function StatusBadge({ status }: { status: number }): View {
  return html`<${Badge} kind=${status < 400 ? 'good' : status < 500 ? 'warn' : 'bad'}>${status}<//>`
}

function DayField(): View {
  const day = place.use().query.get('day') ?? ''
  const choose = (event: Event) => setQuery({ day: (event.target as HTMLInputElement).value })
  return html`<div class="filter">
    <label for="day">${t('Day')}</label>
    <input id="day" type="date" value=${day} onChange=${choose} />
  </div>`
}

function TextFilter({ name, label, placeholder }: { name: string; label: string; placeholder: string }): View {
  const value = place.use().query.get(name) ?? ''
  const choose = (event: Event) => setQuery({ [name]: (event.target as HTMLInputElement).value.trim() })
  return html`<div class="filter">
    <label for=${name}>${label}</label>
    <input id=${name} type="search" defaultValue=${value} key=${value} placeholder=${placeholder} onChange=${choose} />
  </div>`
}

/** Leads to one request by the id that a failure shows. */
function RequestField(): View {
  const find = (event: SubmitEvent) => {
    event.preventDefault()
    const id = String(new FormData(event.target as HTMLFormElement).get('request')).trim()
    if (id) go(`audit/${encodeURIComponent(id)}`)
  }
  return html`<form class="filter" onSubmit=${find}>
    <label for="request">${t('Id of a request')}</label>
    <div class="actions">
      <input id="request" name="request" type="search" autocomplete="off" />
      <button type="submit">${t('Show')}</button>
    </div>
  </form>`
}
