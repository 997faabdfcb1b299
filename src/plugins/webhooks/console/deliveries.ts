import { api, type WebhookDelivery, type WebhookDeliveryDetail, type WebhookDeliveryStatus } from '#console/lib/api.ts'
import { useCommand } from '#console/lib/command.ts'
import { html, useState, type View } from '#console/lib/html.ts'
import { numberText, t, timeText, WITH_SECONDS } from '#console/lib/language.ts'
import { AT_A_TIME, useLoad, useRepeat, useRows } from '#console/lib/load.ts'
import { useQuery } from '#console/lib/router.ts'
import { Dialog } from '#console/parts/dialog.ts'
import { Filter, Filters } from '#console/parts/filters.ts'
import { Failure, say } from '#console/parts/notice.ts'
import { Badge, Show } from '#console/parts/page.ts'
import { list } from '#console/parts/table.ts'

/** Deliveries come and end by themselves. */
const EVERY_MS = 3000

/** What a webhook was sent, newest first; `turn` changes when there is more. */
export function Deliveries({ id, turn }: { id: number; turn: number }): View {
  const { status } = useQuery('status')
  const deliveries = useRows(() => api.each.listWebhookDeliveries({ id, status } as { id: number }), [id, status, turn])
  const [open, setOpen] = useState<number>()
  // Reading again would take away what `Show more` has added.
  const isBeginning = (deliveries.data?.length ?? 0) <= AT_A_TIME
  useRepeat(deliveries, isBeginning ? EVERY_MS : undefined)
  return html`<h2>${t('Deliveries')}</h2>
    <${Filters}>
      <${Filter} name="status" label=${t('Status')} all=${t('All')} options=${STATUSES.map((each) => [each, statusWord(each)])} />
    <//>
    ${list({
      of: deliveries,
      caption: t('Deliveries'),
      empty: status
        ? t('No delivery has this status.')
        : t('Nothing was delivered yet. Send a test to see whether the address answers.'),
      columns: [
        {
          title: t('Event'),
          of: ({ id, type, eventId }) =>
            html`<button type="button" class="link" aria-label=${t('Details: {type} {id}', { type, id: eventId })} onClick=${() => setOpen(id)}>${type}</button>${' '}
              <span class="quiet">${eventId}</span>`,
        },
        { title: t('Status'), of: ({ status }) => html`<${Badge} kind=${KINDS[status]}>${statusWord(status)}<//>` },
        { title: t('Attempts'), isNumber: true, of: ({ attempts }) => numberText(attempts) },
        { title: t('Answer'), of: AnswerOf },
        { title: t('Next attempt'), isTime: true, of: ({ nextAttemptAt }) => nextAttemptAt && timeText(nextAttemptAt) },
        { title: t('When'), isTime: true, of: ({ createdAt }) => timeText(createdAt, WITH_SECONDS) },
      ],
    })}
    ${open !== undefined && html`<${Detail} id=${id} deliveryId=${open} again=${deliveries.again} onClose=${() => setOpen(undefined)} />`}`
}

const STATUSES = ['waiting', 'delivered', 'failed', 'dead'] as const
const KINDS = { waiting: 'warn', delivered: 'good', failed: 'warn', dead: 'bad' } as const

function statusWord(status: WebhookDeliveryStatus): string {
  if (status === 'waiting') return t('waiting')
  if (status === 'delivered') return t('delivered')
  return status === 'failed' ? t('failed, is tried again') : t('given up')
}

function AnswerOf({ responseStatus, durationMs, attempts }: WebhookDelivery): View {
  if (attempts === 0) return null
  const took = durationMs !== null && t('{count} ms', { count: numberText(durationMs) })
  return html`<span>${responseStatus ?? t('No answer')} <span class="quiet">${took}</span></span>`
}

interface DetailOptions {
  id: number
  deliveryId: number
  again(): void
  onClose(): void
}

function Detail({ id, deliveryId, again, onClose }: DetailOptions): View {
  const detail = useLoad(() => api.getWebhookDelivery({ id, deliveryId }), [id, deliveryId])
  const redeliver = useCommand(
    () => api.redeliverWebhook({ id, deliveryId }),
    () => {
      onClose()
      say(t('It is delivered again.'))
      again()
    },
  )
  const type = detail.data?.type ?? ''
  return html`<${Dialog} title=${t('Delivery of {type}', { type })} onClose=${onClose}>
    <${Show} of=${detail}>${({ body, responseBody, lastError, responseStatus }: WebhookDeliveryDetail) => html`
      ${lastError && html`<p class="wrong">${t('Why it failed')}: ${lastError}</p>`}
      <h3>${t('Sent body')}</h3>
      ${body ? html`<pre tabindex="0">${pretty(body)}</pre>` : html`<p class="quiet">${t('The event is no longer kept.')}</p>`}
      <h3>${t('Answer of the other system')} ${responseStatus}</h3>
      ${responseBody ? html`<pre tabindex="0">${pretty(responseBody)}</pre>` : html`<p class="quiet">${t('There was none.')}</p>`}
    `}<//>
    <${Failure} of=${redeliver.failure} />
    <div class="actions">
      <button type="button" aria-disabled=${redeliver.isBusy} onClick=${() => redeliver.isBusy || void redeliver.run()}>${t('Deliver again')}</button>
    </div>
  <//>`
}

/** JSON with indents; anything else as it is. */
function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}
