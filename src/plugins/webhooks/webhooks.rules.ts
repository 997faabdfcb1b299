import { assertVersion, fault, notFound, type PartOf } from '#atrium'
import { ALL_TYPES, type WebhookPatch } from './webhooks.schemas.ts'

export const webhookFaults = {
  notFound: notFound('Webhook'),
  deliveryNotFound: notFound('Delivery'),
  addressRefused: fault('ADDRESS_REFUSED', 400, 'The address is not of the public internet'),
  changed: fault('VERSION_CONFLICT', 409, 'The webhook was changed by someone else'),
  addressUnknown: fault('ADDRESS_UNKNOWN', 409, 'The address of the webhook cannot be read any more; name it again'),
  eventNotKept: fault('EVENT_NOT_KEPT', 409, 'The event is no longer kept'),
}

/** The pauses after failed attempts, in ms. After one more failure a delivery is given up. */
const PAUSES_MS = [5, 30, 120, 600, 3600, 21_600, 86_400].map((seconds) => seconds * 1000)

/** @param failed attempts of a delivery, at least 1 @returns undefined if it is given up */
export function pauseAfter(failed: number): number | undefined {
  return PAUSES_MS[failed - 1]
}

const FAILURES_IN_A_ROW = 3

export type WebhookStatus = 'active' | 'paused' | 'failing'

export function statusOf({ isPaused, failures }: { isPaused: boolean; failures: number }): WebhookStatus {
  if (isPaused) return 'paused'
  return failures >= FAILURES_IN_A_ROW ? 'failing' : 'active'
}

/** A receiver that fails is sent one delivery at a time, so that it keeps no others waiting. */
const WIDTH = { active: 8, failing: 1, paused: 0 }

/** How many deliveries of a webhook are sent at the same time. */
export function widthOf(webhook: { isPaused: boolean; failures: number }): number {
  return WIDTH[statusOf(webhook)]
}

type Webhook = PartOf<'webhooks', 'url' | 'types' | 'description' | 'isPaused' | 'version'>

/** Applies a patch to a webhook. @throws PRECONDITION_FAILED, VERSION_CONFLICT */
export function reviseWebhook(webhook: Webhook, { version, ifMatch, ...patch }: WebhookPatch) {
  assertVersion(webhook.version, { version, ifMatch }, webhookFaults.changed, 'read the webhook and try again')
  return {
    url: patch.url ?? webhook.url,
    types: patch.types ?? webhook.types,
    description: patch.description === undefined ? webhook.description : patch.description,
    isPaused: patch.status === undefined ? webhook.isPaused : patch.status === 'paused',
    version: webhook.version + 1,
  }
}

const TEST = 'webhook.tested'

/** Whether a webhook is sent an event. It gets none about itself, except tests of itself. */
export function isFor(
  webhook: { id: number; types: readonly string[] },
  event: { type: string; subjectType: string; subjectId: number },
): boolean {
  const isAboutIt = event.subjectType === 'webhook' && event.subjectId === webhook.id
  if (event.type === TEST) return isAboutIt
  return !isAboutIt && (webhook.types.includes(ALL_TYPES) || webhook.types.includes(event.type))
}

/** What is encrypted of a webhook: its secret, the one before as long as it works, and its address, which may hold another. */
export interface Secrets {
  current: string
  previous?: { secret: string; until: number }
  url: string
}

const OVERLAP_MS = 24 * 3600_000

/** @param now ms since 1970 */
export function rotate({ current, url }: Secrets, secret: string, now: number): Secrets {
  return { url, current: secret, previous: { secret: current, until: now + OVERLAP_MS } }
}

/** The secrets that sign at a time, the newest first. */
export function secretsAt({ current, previous }: Omit<Secrets, 'url'>, now: number): string[] {
  return previous && now < previous.until ? [current, previous.secret] : [current]
}

/** The part of an address that is no secret. */
export function hostOf(url: string): string {
  return new URL(url).host
}

const HIDDEN = '/…'

/** What is stored in clear of an address, and leaves with an export. */
export function maskOf(url: string): string {
  return new URL(url).origin + HIDDEN
}

export function isMasked(url: string): boolean {
  return url.endsWith(HIDDEN)
}
