import { Count, faults, IdParams, inOneLine, keptText, sentence, text, violationsOf, z } from '#atrium'
import { Nickname, notBlank, Username } from '#atrium/people'
import { type Attributes, booleanOf, canonical, type Raw } from './protocol/resources.rules.ts'

/** The answer that makes something: its status is what the audit says, and its body is written as the standard has it. */
export const CREATED = { 201: { description: 'Created', content: { 'application/scim+json': { schema: z.any() } } } }

export const DELETED = { 204: { description: 'Deleted', content: { 'application/scim+json': { schema: z.any() } } } }

/** What has to be looked at before it is known which attributes it has. */
export const Body = z.looseObject({})

const MOST_OPERATIONS = 1000
const Op = z.preprocess((op) => (typeof op === 'string' ? op.toLowerCase() : op), z.enum(['add', 'replace', 'remove']))
export const PatchBody = z.object({
  Operations: z
    .array(z.object({ op: Op, path: z.string().optional(), value: z.unknown().optional() }))
    .min(1)
    .max(MOST_OPERATIONS),
})

/** The id of nobody, and of no group. */
export const NOBODY = 0

/** To a client ids are opaque texts: one that is none of ours names nobody. @see RFC 7644, section 3.12 */
export function idOf(given: unknown): number {
  return IdParams.safeParse({ id: given }).data?.id ?? NOBODY
}

export const OneParams = z.object({ id: z.string().transform(idOf) })

const projection = {
  attributes: z.string().max(2000).optional(),
  excludedAttributes: z.string().max(2000).optional(),
}
export const OneQuery = z.object(projection)
export type Wanted = z.output<typeof OneQuery>

/** Negative numbers are allowed, and mean the least. */
const AnyCount = z.union([
  Count,
  z
    .string()
    .regex(/^-\d{1,9}$/, sentence('must be a whole number'))
    .transform(Number),
])
export const ListQuery = z.object({
  filter: z.string().optional(),
  startIndex: AnyCount.optional(),
  count: AnyCount.optional(),
  ...projection,
})

const Bool = z.preprocess(booleanOf, z.boolean())
const part = inOneLine(keptText(64)).transform((value) => value || null)
const MOST_ENTRIES = 20
const entries = (value: z.ZodType<string>) =>
  z
    .array(z.object({ value, type: part, primary: Bool.nullish() }))
    .max(MOST_ENTRIES)
    .nullish()
    .transform((list) => list ?? [])
const externalId = z
  .string()
  .max(255)
  .nullish()
  .transform((id) => id || null)

export const UserResource = z.object({
  userName: Username,
  externalId,
  displayName: Nickname.transform((name) => name || null),
  name: z
    .object({ formatted: part, givenName: part, familyName: part })
    .nullish()
    .transform((name) => name ?? { formatted: null, givenName: null, familyName: null }),
  emails: entries(z.email().max(128)),
  phoneNumbers: entries(text(32)),
  active: Bool.nullish().transform((active) => active ?? undefined),
  password: notBlank(z.string().min(6).max(128)).nullish(),
})
export type UserResource = z.output<typeof UserResource>
export const PasswordOnly = UserResource.pick({ password: true })

/** As many as one request or one answer holds. */
export const MOST_MEMBERS = 10_000
export const GroupResource = z.object({
  displayName: text(64),
  externalId,
  members: z
    .array(z.object({ value: z.string().transform(idOf) }))
    .max(MOST_MEMBERS)
    .nullish()
    .transform((members) => members && [...new Set(members.map(({ value }) => value))]),
})
export type GroupResource = z.output<typeof GroupResource>

/** Reads a resource from a body or from the result of a PATCH. @throws VALIDATION_FAILED */
export function read<Shape extends z.ZodType>(schema: Shape, body: object, attributes: Attributes): z.output<Shape> {
  const raw: Raw = canonical(body, attributes)
  const { data, error } = schema.safeParse(raw)
  if (error) throw faults.validation(violationsOf('body', raw, error.issues))
  return data as z.output<Shape>
}
