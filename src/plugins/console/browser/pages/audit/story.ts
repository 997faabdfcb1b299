import { type AuditOperation, api } from '../../lib/api.ts'
import { deedOf } from '../../lib/deeds.ts'
import { deviceOf } from '../../lib/device.ts'
import { html, type View } from '../../lib/html.ts'
import { numberText, t, timeText, WITH_SECONDS } from '../../lib/language.ts'
import { useLoad } from '../../lib/load.ts'
import { Empty, factList, Page, Show } from '../../parts/page.ts'
import { table } from '../../parts/table.ts'
import { StatusBadge } from '../audit.ts'
import { Deed, useNamesIn } from './deed.ts'

const AROUND_MS = 60_000

/** One request by its id, and what the same person did in the minutes around it. */
export function Story({ requestId }: { requestId: string }): View {
  const found = useLoad((signal) => find(requestId, signal), [requestId])
  return html`<${Page} title=${t('Request {id}', { id: requestId })}>
    <p><a href="/console/audit">${t('All requests')}</a></p>
    <${Show} of=${found}>${(operations: AuditOperation[]) =>
      operations.length
        ? operations.map((operation) => html`<${Facts} key=${operation.id} of=${operation} />`)
        : html`<${Empty}><p>${t('The audit has no request of this id. Reads that succeed are recorded only if the operator wants it.')}</p><//>`}<//>
  <//>`
}

/** The search goes back through the whole audit, and ends at the newest request of this id. */
async function find(requestId: string, signal: AbortSignal): Promise<AuditOperation[]> {
  const operations = api.each.listAuditOperations({ requestId }, { signal })
  for await (const operation of operations) return [operation]
  return []
}

function Facts({ of }: { of: AuditOperation }): View {
  const nameOf = useNamesIn([of])
  return html`<section class="sheet">
      ${factList([
        [t('When'), timeText(of.createdAt, WITH_SECONDS)],
        [
          t('Who'),
          html`${of.username ?? t('a stranger')}${of.keyPrefix && html` <span class="quiet">${t('with the key {prefix}…', { prefix: of.keyPrefix })}</span>`}`,
        ],
        [t('Deed'), html`<${Deed} of=${of} nameOf=${nameOf} />`],
        [t('Request'), html`<strong>${of.method}</strong> ${of.path}`],
        [t('Route'), of.route],
        [t('Status'), html`<${StatusBadge} status=${of.status} />`],
        [t('Took'), t('{count} ms', { count: numberText(of.duration) })],
        [t('Network address'), of.ip],
        [t('Device'), html`${deviceOf(of.userAgent)} <span class="quiet">${of.userAgent}</span>`],
      ])}
    </section>
    ${of.userId !== null && html`<${Around} of=${of} userId=${of.userId} />`}`
}

function Around({ of, userId }: { of: AuditOperation; userId: number }): View {
  const at = Date.parse(of.createdAt)
  const from = new Date(at - AROUND_MS).toISOString()
  const to = new Date(at + AROUND_MS).toISOString()
  const around = useLoad(() => api.listAuditOperations({ userId, from, to, pageSize: 50 }), [of.id])
  return html`<h2>${t('The same person, a minute before and after')}</h2>
    <${Show} of=${around}>${(rows: AuditOperation[]) =>
      table({
        caption: t('The same person, a minute before and after'),
        rows,
        columns: [
          { title: t('When'), isTime: true, of: ({ createdAt }) => timeText(createdAt, { timeStyle: 'medium' }) },
          {
            title: t('Deed'),
            of: (one) =>
              one.id === of.id
                ? html`<strong>${deedOf(one)}</strong>`
                : html`<a href=${`/console/audit/${encodeURIComponent(one.requestId)}`}>${deedOf(one)}</a>`,
          },
          { title: t('Status'), of: ({ status }) => html`<${StatusBadge} status=${status} />` },
        ],
      })}<//>`
}
