import { api, type Webhook } from '#console/lib/api.ts'
import { useCommand } from '#console/lib/command.ts'
import { html, useState, type View } from '#console/lib/html.ts'
import { t, timeText } from '#console/lib/language.ts'
import { useLoad } from '#console/lib/load.ts'
import { go } from '#console/lib/router.ts'
import { Confirm, FormDialog, Once } from '#console/parts/dialog.ts'
import { Edit, type Facts } from '#console/parts/edit.ts'
import { Field, type Values } from '#console/parts/form.ts'
import { Failure, say } from '#console/parts/notice.ts'
import { factList, Page, Show } from '#console/parts/page.ts'
import { Deliveries } from './deliveries.ts'
import { TypeBoxes, typesIn } from './types.ts'
import { Status, typesText } from './webhooks.ts'

/** One webhook: its deliveries, what can be done with it, and its form. */
export function One({ id }: { id: number }): View {
  const webhook = useLoad(() => api.getWebhook({ id }), [id])
  const [turn, setTurn] = useState(0)
  const [secret, show] = useState<string>()
  const sent = (text: string) => () => {
    say(text)
    setTurn((before) => before + 1)
  }
  const test = useCommand(() => api.testWebhook({ id }), sent(t('A test is on its way. It appears below in a moment.')))
  const rotate = async () => show((await api.rotateWebhookSecret({ id })).secret)
  return html`<${Show} of=${webhook}>${(found: Webhook) => html`<${Page}
    title=${found.url}
    actions=${html`<button type="button" class="main" aria-disabled=${test.isBusy} onClick=${() => test.isBusy || void test.run()}>${t('Send a test')}</button>
      <${Replay} id=${id} then=${sent(t('The events are sent again.'))} />
      <${Confirm} label=${t('New secret')} question=${t('The webhook gets a new secret. The one before works for another 24 hours.')} act=${rotate} />
      <${Confirm}
        label=${t('Delete')}
        question=${t('{url} gets nothing any more, and its deliveries are deleted. This cannot be undone.', { url: found.url })}
        act=${() => api.deleteWebhook({ id })}
        said=${t('The webhook is deleted.')}
        then=${() => go('webhooks', { replace: true })}
      />`}
  >
    <${Failure} of=${test.failure} />
    ${factList([
      [
        t('Status'),
        html`<${Status} of=${found} /> ${found.status === 'paused' && t('It is paused. What happens now is kept, and delivered afterwards.')}`,
      ],
      [t('Events'), typesText(found.types)],
      [t('Since'), timeText(found.createdAt)],
    ])}
    <${Deliveries} id=${id} turn=${turn} />
    <h2>${t('The webhook')}</h2>
    <section class="sheet">
      <${Edit} of=${webhook} address=${`/api/v1/webhooks/${id}`} facts=${factsOf} save=${save}>
        ${(of: Webhook) => html`
          <${Field} name="url" label=${t('Webhook address')} type="url" value=${of.url} required />
          <${Field} name="description" label=${t('Description')} value=${of.description} />
          <${Field} name="status" label=${t('Status')} value=${chosenOf(of)} options=${[['active', t('active')], ['paused', t('paused')]]} />
          <${TypeBoxes} held=${of.types} />
        `}
      <//>
    </section>
  <//>`}<//>
  ${secret && html`<${SecretOnce} value=${secret} onClose=${() => show(undefined)} />`}`
}

const chosenOf = ({ status }: Pick<Webhook, 'status'>) => (status === 'paused' ? 'paused' : 'active')

const factsOf = ({ url, description, status, types }: Webhook): Facts => [
  [t('Webhook address'), url],
  [t('Description'), description ?? ''],
  [t('Status'), status === 'paused' ? t('paused') : t('active')],
  [t('Events'), types.join(', ')],
]

/** One from another installation is shown as paused until it has a new secret. That is not chosen, so it is not sent. */
const save = ({ url, description, status, ...boxes }: Values, webhook: Webhook) =>
  api.updateWebhook({
    id: webhook.id,
    body: {
      url: url!,
      description: description || null,
      ...(status !== chosenOf(webhook) && { status: status as 'active' | 'paused' }),
      types: typesIn(boxes),
      version: webhook.version,
    },
  })

/** Sends what has happened again, from an event on. */
function Replay({ id, then }: { id: number; then(): void }): View {
  return html`<${FormDialog}
    label=${t('Send events again')}
    text=${t('Everything after this event is sent again, in order.')}
    act=${({ afterEventId }: Values) => api.replayWebhook({ id, body: { afterEventId: Number(afterEventId) } })}
    then=${then}
  >
    <${Field} name="afterEventId" label=${t('Id of the event')} hint=${t('0 stands for the oldest that is kept.')} type="number" value="0" inputmode="numeric" required autofocus />
  <//>`
}

/** The secret that signs deliveries, when it was just made. */
export function SecretOnce({ value, onClose }: { value: string; onClose(): void }): View {
  return html`<${Once}
    title=${t('The secret of the webhook')}
    text=${t('Copy it into the other system now: with it, that system checks that a delivery is from here. It is shown only this once and kept nowhere.')}
    value=${value}
    onClose=${onClose}
  />`
}
