import {
  changesBetween,
  drawWebhookSecret,
  type Expected,
  findLastEvent,
  nextId,
  removing,
  type Scope,
  type Tx,
  takeRoom,
  UnknownKey,
  type Usage,
} from '#atrium'
import { listNamesShown } from '#atrium/people'
import { getPolicy } from '#atrium/tenants'
import { eventText, listEventsById, type StoredEvent } from '#plugins/events'
import { WEBHOOK_FIELDS } from './webhooks.events.ts'
import {
  hostOf,
  isMasked,
  maskOf,
  reviseWebhook,
  rotate,
  type Secrets,
  statusOf,
  webhookFaults,
} from './webhooks.rules.ts'
import type { WebhookDraft, WebhookPatch, WebhookView } from './webhooks.schemas.ts'
import {
  countWebhooks,
  getDelivery,
  getWebhook,
  insertWebhook,
  lockWebhook,
  removeEnded,
  removeOrphans,
  removeRetired,
  retireWebhook,
  reviveDelivery,
  rewind,
  saveWebhook,
} from './webhooks.store.ts'

type StoredWebhook = Awaited<ReturnType<typeof getWebhook>>
type Sealed = Pick<StoredWebhook, 'id' | 'url' | 'sealedSecrets'>
type Place = Pick<Tx, 'sealer' | 'tenantId'>

/** A webhook as it is shown; its address is masked if no configured key opens it. */
export function viewOf(place: Place, webhook: StoredWebhook): WebhookView {
  const { id, types, description, createdAt, version, failures, sealedSecrets } = webhook
  const url = addressOf(place, webhook)
  // One without a secret, because it came from another installation, sends nothing yet.
  const isPaused = webhook.isPaused || sealedSecrets === null
  return { id, url, types, description, status: statusOf({ isPaused, failures }), createdAt, version }
}

/**
 * Makes a webhook, which is sent what happens from now on. @returns it with its secret, which is shown this once
 * @throws QUOTA_EXCEEDED
 */
export async function createWebhook(tx: Tx, draft: WebhookDraft) {
  const [id, last] = await Promise.all([nextId(tx, 'webhooks'), findLastEvent(tx, {})])
  await takeRoom(tx, 'webhooks')
  const secret = drawWebhookSecret()
  const { url, types, description = null, status } = draft
  const { rows } = await insertWebhook(tx, {
    ...{ id, types, description, isPaused: status === 'paused', lastEventId: last?.id ?? 0 },
    ...storedOf(tx, id, { url, current: secret }),
    // The system administrator in another tenant is no user of it.
    madeBy: tx.actor.tenantId === tx.tenantId ? tx.actor.id : null,
  })
  tx.record({ event: 'webhook.created', subject: id, data: { host: hostOf(url), types } })
  return { ...viewOf(tx, rows[0]!), secret }
}

/** @throws NOT_FOUND, PRECONDITION_FAILED, VERSION_CONFLICT */
export async function updateWebhook(tx: Tx, id: number, patch: WebhookPatch): Promise<WebhookView> {
  const webhook = await lockWebhook(tx, { id })
  const secrets = openIfPossible(tx, webhook)
  const revised = { ...webhook, ...reviseWebhook({ ...webhook, url: secrets?.url ?? webhook.url }, patch) }
  const sealed = secrets
    ? storedOf(tx, id, { ...secrets, url: revised.url })
    : // It is encrypted with the next secret.
      { url: revised.url, sealed: webhook.sealedSecrets }
  saveWebhook(tx, { ...revised, ...sealed })
  const [before, after] = [viewOf(tx, webhook), viewOf(tx, { ...revised, ...sealed, sealedSecrets: sealed.sealed })]
  const changes = changesBetween(before, after, WEBHOOK_FIELDS, ['url'])
  if (changes.length) tx.record({ event: 'webhook.updated', subject: id, data: { version: after.version, changes } })
  return after
}

/** Deletes a webhook; what it had still to be sent is dropped. @throws NOT_FOUND, PRECONDITION_FAILED */
export async function deleteWebhook(tx: Tx, id: number, expected: Expected): Promise<void> {
  const webhook = await lockWebhook(tx, { id })
  reviseWebhook(webhook, expected)
  retireWebhook(tx, { id })
  tx.record({ event: 'webhook.deleted', subject: id, data: { host: hostOf(webhook.url) } })
}

/** Gives a webhook a new secret; for a day, deliveries are signed with both. @throws NOT_FOUND, ADDRESS_UNKNOWN */
export async function rotateSecret(tx: Tx, id: number): Promise<{ secret: string }> {
  const webhook = await lockWebhook(tx, { id })
  const secret = drawWebhookSecret()
  const before = openIfPossible(tx, webhook)
  if (!before && isMasked(webhook.url)) throw webhookFaults.addressUnknown()
  const secrets = before ? rotate(before, secret, Date.parse(tx.now)) : { url: webhook.url, current: secret }
  saveWebhook(tx, { ...webhook, ...storedOf(tx, id, secrets) })
  tx.record({ event: 'webhook.secret_rotated', subject: id, data: { host: hostOf(webhook.url) } })
  return { secret }
}

/** Sends a webhook a test. @throws NOT_FOUND */
export async function testWebhook(tx: Tx, id: number): Promise<void> {
  const { url } = await getWebhook(tx, { id })
  tx.record({ event: 'webhook.tested', subject: id, data: { host: hostOf(url) } })
}

/** Sends a webhook all events after an id again. @throws NOT_FOUND */
export async function replay(tx: Tx, id: number, afterEventId: number): Promise<void> {
  const { url } = await lockWebhook(tx, { id })
  rewind(tx, { id, afterEventId })
  tx.record({ event: 'webhook.replayed', subject: id, data: { host: hostOf(url), afterEventId } })
}

/** Sends one delivery again, whatever became of it. @throws NOT_FOUND, EVENT_NOT_KEPT */
export async function redeliver(tx: Tx, webhookId: number, id: number) {
  const [webhook, { eventId }] = await tx.inOrder([
    lockWebhook(tx, { id: webhookId }),
    getDelivery(tx, { webhookId, id }),
  ])
  const [event] = await listEventsById(tx, { ids: [eventId] })
  if (!event) throw webhookFaults.eventNotKept()
  const { rows } = await reviveDelivery(tx, { webhookId, id })
  const data = { host: hostOf(webhook.url), eventId }
  tx.record({ event: 'webhook.redelivered', subject: webhookId, data })
  return rows[0]!
}

/** A delivery with what is sent and what was answered. @throws NOT_FOUND */
export async function showDelivery(scope: Scope, webhookId: number, id: number) {
  const delivery = await getDelivery(scope, { webhookId, id })
  const bodies = await bodiesOf(scope, await listEventsById(scope, { ids: [delivery.eventId] }))
  return { ...delivery, body: bodies.get(delivery.eventId) ?? null }
}

/** What is sent of events, by their ids. It names the actors as they are called now, in the language of the tenant. */
export async function bodiesOf(scope: Scope, events: readonly StoredEvent[]): Promise<Map<number, string>> {
  const ids = [...new Set(events.flatMap(({ actorId }) => actorId ?? []))]
  const [names, { locale }] = await Promise.all([
    ids.length ? listNamesShown(scope, { ids }) : [],
    getPolicy(scope, { id: scope.tenantId }),
  ])
  const nameById = new Map(names.map(({ id, name }) => [id, name]))
  return new Map(events.map((event) => [event.id, eventText(event, nameById, locale)]))
}

function storedOf({ sealer, tenantId }: Place, id: number, secrets: Secrets) {
  return { url: maskOf(secrets.url), sealed: sealer.seal(JSON.stringify(secrets), placeOf(tenantId, id)) }
}

/** @throws UnknownKey */
export function openSecrets({ sealer, tenantId }: Place, { id, url, sealedSecrets }: Sealed): Secrets {
  // Of a webhook from before addresses were encrypted, it is in its column.
  return { url, ...JSON.parse(sealer.open(sealedSecrets ?? '', placeOf(tenantId, id))) }
}

/** The address of a webhook, masked if no configured key opens it. */
export function addressOf(place: Place, webhook: Sealed): string {
  return openIfPossible(place, webhook)?.url ?? webhook.url
}

/** Undefined for one that came from another installation, or whose key is lost. */
function openIfPossible(place: Place, webhook: Sealed): Secrets | undefined {
  try {
    return openSecrets(place, webhook)
  } catch (error) {
    if (error instanceof UnknownKey) return undefined
    throw error
  }
}

function placeOf(tenantId: number, id: number): string {
  return `webhooks ${tenantId}/${id}`
}

/** Webhooks that are not deleted. */
export const webhooksUsed: Usage = {
  of: 'webhooks',
  count: async (scope) => (await countWebhooks(scope, {}))!.count,
}

/** Deliveries that ended long ago are forgotten; deleted webhooks go once all of theirs are gone. */
export const cleanups = [
  removing('deliveries of webhooks that ended 30 days ago', removeEnded),
  removing('deliveries of deleted webhooks', removeOrphans),
  removing('deleted webhooks', removeRetired),
]
