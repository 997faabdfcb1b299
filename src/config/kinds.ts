import { z } from 'zod'
import { readRedisUrl } from '../data/coordination/redis-url.ts'
import { LIMITED, type Limited } from '../data/tx/plans.ts'
import { isNetwork } from '../util/network.ts'

/**
 * The kinds of values that variables take. Each parses the text of the environment; its error never repeats the text,
 * which may be a secret.
 */
export const text = z.string()

/** A whole number within bounds: only digits, so neither `0x10` nor `1e3`. */
export const whole = (least: number, most: number) =>
  z
    .string()
    .regex(/^\d{1,15}$/, 'must be a whole number')
    .transform(Number)
    .refine((number) => number >= least && number <= most, `must be from ${least} to ${most}`)

/** A number of processes, or one for each core. */
export const processes = z
  .string()
  .regex(/^(auto|[1-9]\d{0,2})$/, 'must be auto or a whole number from 1 to 999')
  .transform((text) => (text === 'auto' ? text : Number(text)))

/** How often something may happen; 0 turns a limit off. */
export const count = whole(0, 1_000_000)

/** A share, from 0 to 1. */
export const share = z
  .string()
  .regex(/^\d(\.\d{1,9})?$/, 'must be a number from 0 to 1')
  .transform(Number)
  .refine((part) => part <= 1, 'must be a number from 0 to 1')

const NAME_OF_PLAN = 'the name of a plan has 1 to 32 characters'

const offers = z.record(
  z.string().min(1).max(32),
  z.strictObject({ amountCents: z.int().min(1).max(10_000_000_000), days: z.int().min(1).max(3660) }),
)

/** What the operator asks for another period of each plan. */
export const renewals = z.string().transform((text, context) => {
  const read = offers.safeParse(jsonOf(text))
  if (read.success) return read.data
  context.addIssue('must be JSON such as {"team":{"amountCents":29900,"days":365}}')
  return z.NEVER
})

const mostOf = (least: number, most: number) =>
  z
    .int({ error: 'must be a whole number' })
    .min(least, `must be at least ${least}`)
    .max(most, `must be at most ${most}`)
const limitsOfPlan = z.strictObject(
  {
    people: mostOf(0, 1_000_000_000).optional(),
    projects: mostOf(0, 1_000_000_000).optional(),
    fileBytes: mostOf(0, 999_999_999_999_999).optional(),
    webhooks: mostOf(0, 1_000_000).optional(),
    requestsPerMinute: mostOf(1, 1_000_000).optional(),
  } satisfies Record<Limited, z.ZodType>,
  {
    error: ({ code }) =>
      code === 'unrecognized_keys' ? `may limit ${LIMITED.join(', ')} and nothing else` : 'must be an object of limits',
  },
)
const limitsByPlan = z.record(z.string().min(1, NAME_OF_PLAN).max(32, NAME_OF_PLAN), limitsOfPlan)

/** How much each plan allows, with one sentence for each mistake. */
export const plans = z.string().transform((text, context) => {
  const given = jsonOf(text)
  if (given === null || typeof given !== 'object' || Array.isArray(given)) {
    context.addIssue('must be JSON such as {"team":{"people":50,"projects":20}}')
    return z.NEVER
  }
  const read = limitsByPlan.safeParse(given)
  if (read.success) return read.data
  for (const { path, code, message } of read.error.issues)
    context.addIssue(code === 'invalid_key' ? NAME_OF_PLAN : `${path.join('.')} ${message}`)
  return z.NEVER
})

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

export const choice = <const Options extends readonly [string, ...string[]]>(...options: Options) =>
  z.enum(options, { error: `must be one of ${options.join(', ')}` })

export const flag = choice('true', 'false').transform((value) => value === 'true')

export const httpUrl = z.url({ protocol: /^https?$/, error: 'must begin with http:// or https://' })

export const postgresUrl = z.string().regex(/^postgres(ql)?:/, 'must begin with postgres:// or postgresql://')

export const redisUrl = z.string().refine((value) => readRedisUrl(value) !== undefined, {
  error: 'must be redis://host, redis+sentinel://host1,host2/name or redis+cluster://host1,host2 (rediss for TLS)',
})

/** A secret as Standard Webhooks and Stripe write it. */
export const webhookSecret = z
  .string()
  .regex(/^whsec_[\w+/-]{16,}={0,2}$/, 'must be whsec_ and at least 16 characters of base64')

export const mailUrl = z
  .string()
  .refine((value) => /^smtps?:$/.test(URL.parse(value)?.protocol ?? '') && URL.parse(value)!.hostname !== '', {
    error: 'must be smtp://host, smtps://host or smtp://user:password@host:587',
  })

/** `no-reply@example.com`, or with a name: `Example <no-reply@example.com>`. */
export const mailSender = z.string().refine((value) => {
  const [, address] = /^[^<>\r\n]*<([^<>]*)>$/.exec(value) ?? [undefined, value]
  return z.email().safeParse(address).success
}, 'must be an address, or a name with the address between < and >')

/** Comma-separated items. */
export const items = z.string().transform((value) =>
  value
    .split(',')
    .map((item) => item.trim())
    .filter(Boolean),
)

/** Signing secrets: the first signs, all are accepted. */
export const secrets = items.refine(
  (list) => list.length > 0 && list.every((secret) => secret.length >= 32),
  'must have at least 32 characters, and so must each of several between commas',
)

/** Origins as browsers send them. A star is not allowed, because answers carry credentials. */
export const origins = items.refine((list) => list.every(isOrigin), 'must be origins such as https://app.example.com')

/** Addresses and CIDR blocks. A number of hops is not allowed: anyone who forges the header could choose it. */
export const networks = items.refine(
  (list) => list.every(isNetwork),
  'must be addresses or CIDR blocks, and not all addresses there are',
)

function isOrigin(item: string): boolean {
  return /^https?:/.test(item) && URL.parse(item)?.origin === item
}
