import { z } from 'zod'
import { sentence } from './words/sentence.ts'

/**
 * The vocabulary of shapes. Numbers in addresses are matched by a pattern before they are numbers (`z.coerce.number()`
 * would read `0x10`), dates are real dates, text is trimmed before it is measured.
 */
const MOST = Number.MAX_SAFE_INTEGER

/**
 * How a shape stands in the document, in place of its own: what is text in an address is a number to a client, and a
 * pattern says less than a format.
 */
const documented = (shape: { type: string; [keyword: string]: unknown }) => ({ documented: shape })

/** An id in a path or query: digits only. */
export const IdInPath = z
  .string()
  .regex(/^[1-9]\d{0,15}$/, sentence('must be a positive integer'))
  .transform(Number)
  .refine((id) => id <= MOST, sentence('must be a positive integer'))
  .meta(documented({ type: 'integer', minimum: 1 }))

/** An id in a body. */
export const Id = z.number().int().positive().max(MOST)

/** An id that is sent, and what it is the id of, as in its path: `users`, `categories`. Tests send those of others. */
export const idOf = (kind: string) => Id.meta({ of: kind })
export const idInPathOf = (kind: string) => IdInPath.meta({ of: kind })

/** A count in a query, such as a page or a version: at most nine digits. */
export const Count = z
  .string()
  .regex(/^\d{1,9}$/, sentence('must be a whole number'))
  .transform(Number)
  .meta(documented({ type: 'integer', minimum: 0, maximum: 999_999_999 }))

/** A count in a query that is refused outside its bounds. */
export const bounded = (least: number, most: number, usual?: number) =>
  Count.refine((count) => count >= least && count <= most, {
    error: sentence('must be from {minimum} to {maximum}'),
    params: { minimum: least, maximum: most },
  }).meta(
    documented({ type: 'integer', minimum: least, maximum: most, ...(usual !== undefined && { default: usual }) }),
  )

/** A count in a query that is moved into its bounds instead of being refused; what is no whole number is the usual one. */
export const clamped = (least: number, most: number, usual: number) =>
  z
    .string()
    .max(20)
    .optional()
    .transform((given) => {
      const wanted = given !== undefined && /^-?\d{1,15}$/.test(given) ? Number(given) : usual
      return Math.min(Math.max(wanted, least), most)
    })
    .meta({
      ...documented({ type: 'integer', default: usual }),
      description: `From ${least} to ${most}; values outside become the nearest of the two`,
    })

/** `true` or `false` in a query. */
export const Flag = z
  .enum(['true', 'false'])
  .transform((flag) => flag === 'true')
  .meta(documented({ type: 'boolean' }))

/** A version in a body. */
export const Version = z
  .number()
  .int()
  .min(0)
  .max(2 ** 31 - 1)

/** Required text: trimmed, in NFC as all text is kept, not blank, at most `most` characters. */
export const text = (most: number) => z.string().trim().normalize('NFC').min(1, sentence('must not be blank')).max(most)

/** Optional text that is a name of something or has a default: blank and null both clear it. */
export const optionalText = (most: number) =>
  z
    .string()
    .trim()
    .normalize('NFC')
    .max(most)
    .transform((value) => value || null)
    .nullable()
    .optional()

/** Optional text that may be empty: it comes back as it was sent, to clients whose types have a string there. */
export const keptText = (most: number) => z.string().trim().normalize('NFC').max(most).nullable().optional()

/** What a slug or a code is made of; whoever leaves it blank gets one that is made of the name. */
export const slugSource = z.string().trim().max(64).nullish()

/** `yyyy-MM-dd`, a day that exists. */
export const Day = z.iso.date().refine((day) => day >= '0001-01-01', sentence('must be a date of our era'))

/** An ISO-8601 instant with an offset; becomes UTC with milliseconds. Years beyond four digits sort before all others. */
export const Instant = z.iso
  .datetime({ offset: true })
  .transform((instant) => new Date(instant).toISOString())
  .refine((instant) => instant >= '0001-01-02', sentence('must be an instant of our era'))

/** Free text to look for: 1 to 100 characters, in NFC as what is looked through; blank is absent. */
export const Keyword = z
  .string()
  .trim()
  .normalize('NFC')
  .max(100)
  .transform((value) => value || undefined)
  .optional()

/** `{id}` in a path. */
export const IdParams = z.object({ id: IdInPath })

/** What leaves is written by hand; the shapes of these say what the contract calls them. */
export const view = {
  id: z.number().int(),
  text: z.string(),
  maybeText: z.string().nullable(),
  /** how a person is called: one who has gone by a word in the reader's language, where the store gives a blank */
  person: z.string(),
  maybePerson: z.string().nullable(),
  maybeId: z.number().int().nullable(),
  instant: z.string().meta({ format: 'date-time' }),
  maybeInstant: z.string().meta({ format: 'date-time' }).nullable(),
  maybeDay: z.string().meta({ format: 'date' }).nullable(),
}

/**
 * A part of a view that is JSON already, as PostgreSQL writes it: it goes into the answer as it is, which for long texts
 * is a fifth of the work of reading and writing them once more.
 */
export class Written {
  /** Stands at both ends of it in a text that is being written. In JSON it is always escaped, so it is nowhere else. */
  static readonly MARK = '\u0001'
  readonly #json: string
  constructor(json: string) {
    this.#json = json
  }
  toString(): string {
    return `${Written.MARK}${this.#json}${Written.MARK}`
  }
}
const writtenParts = new WeakSet<object>()

/** The schema of such a part, which the document shows as what it is a schema of. */
export function written(schema: z.ZodType): z.ZodType<Written> {
  const part = schema.clone()
  writtenParts.add(part)
  return part as z.ZodType<Written>
}

export function isWritten(schema: object): boolean {
  return writtenParts.has(schema)
}

/** The patch of a draft: every field may be left out, and none gets a default. */
export function patchOf<Shape extends z.core.$ZodLooseShape>(draft: z.ZodObject<Shape>) {
  const shape: Record<string, z.ZodType> = {}
  for (const [name, field] of Object.entries(draft.shape)) {
    const bare = field instanceof z.ZodDefault ? (field.unwrap() as z.ZodType) : (field as z.ZodType)
    shape[name] = bare.optional()
  }
  return z.object(shape) as unknown as z.ZodObject<{ [K in keyof Shape]: z.ZodOptional<Shape[K] & z.ZodType> }>
}

/**
 * Shows in the document what a schema looks like, by data that the service has: of each list in it the first item.
 * @param example called when the document is written, and not before
 */
export function exemplify(schema: z.ZodType, example: () => unknown): void {
  z.globalRegistry.add(schema, {
    ...schema.meta(),
    get examples() {
      return [brief(example())]
    },
  })
}

function brief(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, 1).map(brief)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, brief(inner)]))
}

/** A keyword as a LIKE pattern that matches it literally, anywhere. */
export function containing(keyword: string): string {
  return `%${keyword.replace(/[\\%_]/g, '\\$&')}%`
}

/** A LIKE pattern of what begins with the text, literally. */
export function beginningWith(start: string): string {
  return `${start.replace(/[\\%_]/g, '\\$&')}%`
}
