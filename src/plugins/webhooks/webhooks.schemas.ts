import {
  allEvents,
  arrayQuery,
  type Expected,
  IdInPath,
  optionalText,
  ReadVersion,
  sentence,
  text,
  view,
  z,
} from '#atrium'

/** All types of events. */
export const ALL_TYPES = '*'
const LONGEST_URL = 2048
const MOST_TYPES = 500

const WebUrl = text(LONGEST_URL)
  .refine(isWebUrl, { error: sentence('must be an HTTP or HTTPS address'), abort: true })
  .refine((url) => !hasCredentials(url), sentence('must contain no user name and no password'))
  .describe('HTTPS or HTTP, with a host of the public internet')
  .meta({ examples: ['https://hooks.example.com/atrium'] })

const Types = z
  .array(
    z
      .string()
      .max(100)
      .refine((type) => type === ALL_TYPES || allEvents().has(type), sentence('must be a type of event, or *')),
  )
  .min(1)
  .max(MOST_TYPES)
  .transform((types) => [...new Set(types)])
  .describe('The types of events that it is sent; `*` means all, also those of later releases')

const ChosenStatus = z.enum(['active', 'paused'])

export const WebhookDraft = z
  .object({
    url: WebUrl,
    types: Types,
    description: optionalText(500),
    status: ChosenStatus.optional(),
  })
  .meta({
    id: 'WebhookDraft',
    examples: [
      {
        url: 'https://hooks.example.com/atrium',
        types: ['task.created'],
        description: 'Invoices',
        status: 'paused',
      },
    ],
  })
export type WebhookDraft = z.output<typeof WebhookDraft>

export const WebhookPatch = WebhookDraft.partial()
  .extend({ version: ReadVersion })
  .meta({ id: 'WebhookPatch', examples: [{ description: 'Invoices', status: 'paused' }] })
export type WebhookPatch = z.output<typeof WebhookPatch> & Expected

const shape = {
  id: view.id,
  url: view.text,
  types: z.array(z.string()),
  description: view.maybeText,
  status: z
    .enum(['active', 'paused', 'failing'])
    .meta({ id: 'WebhookStatus' })
    .describe('`failing` from the third failed attempt in a row until one is delivered'),
  createdAt: view.instant,
  version: view.version,
}
const example = {
  id: 3,
  url: 'https://hooks.example.com/atrium',
  types: ['task.created'],
  description: 'Invoices',
  status: 'active',
}

export const WebhookView = z.object(shape).meta({ id: 'Webhook', examples: [example] })
export type WebhookView = z.output<typeof WebhookView>

const Secret = view.text.describe('The secret that signs its deliveries, shown only in this answer')
const SECRET = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD'

export const CreatedWebhookView = z
  .object({ ...shape, secret: Secret })
  .meta({ id: 'CreatedWebhook', examples: [{ ...example, secret: SECRET }] })

export const WebhookSecretView = z
  .object({ secret: Secret })
  .meta({ id: 'WebhookSecret', examples: [{ secret: SECRET }] })

export const Replay = z
  .object({ afterEventId: z.number().int().min(0).max(Number.MAX_SAFE_INTEGER) })
  .meta({ id: 'WebhookReplay', examples: [{ afterEventId: 4000 }] })

export const DeliveryStatus = z.enum(['waiting', 'delivered', 'failed', 'dead']).meta({ id: 'WebhookDeliveryStatus' })
export type DeliveryStatus = z.output<typeof DeliveryStatus>

export const DeliveryQuery = arrayQuery({ status: DeliveryStatus.optional() })
export const DeliveryParams = z.object({ id: IdInPath, deliveryId: IdInPath })

const delivery = {
  id: view.id,
  eventId: view.id,
  type: view.text,
  status: DeliveryStatus.describe('`failed`: it is tried again; `dead`: it was given up'),
  attempts: z.number().int(),
  responseStatus: z.number().int().nullable().describe('Of the last attempt; null if there was no response'),
  durationMs: z.number().int().nullable(),
  nextAttemptAt: view.maybeInstant,
  createdAt: view.instant,
}
const delivered = {
  id: 95,
  eventId: 4711,
  type: 'task.created',
  status: 'delivered',
  attempts: 1,
  responseStatus: 200,
  durationMs: 84,
}

export const DeliveryView = z.object(delivery).meta({ id: 'WebhookDelivery', examples: [delivered] })

export const DeliveryDetailView = z
  .object({
    ...delivery,
    lastError: view.maybeText.describe('Why the last attempt failed'),
    body: view.maybeText.describe(
      'The body that is sent, with the actor as they are called now; null if the event is no longer kept',
    ),
    responseBody: view.maybeText.describe('The first 8192 characters of what was answered last'),
  })
  .meta({ id: 'WebhookDeliveryDetail', examples: [{ ...delivered, lastError: null, responseBody: 'ok' }] })

function isWebUrl(url: string): boolean {
  return /^https?:\/\//i.test(url) && URL.canParse(url)
}

function hasCredentials(address: string): boolean {
  const { username, password } = new URL(address)
  return username !== '' || password !== ''
}
