import { z } from 'zod'
import { LANGUAGES, type Sentence, sentence } from './words/sentence.ts'

/**
 * The vocabulary of shapes. A pattern checks numbers in addresses before they are parsed (`z.coerce.number()` would
 * accept `0x10`), dates are real dates, text is trimmed before it is measured.
 */
const MOST = Number.MAX_SAFE_INTEGER

/**
 * The shape to show in the document instead of its own: text in an address is a number to a client, and a format says
 * more than a pattern.
 */
const documented = (shape: { type: string; [keyword: string]: unknown }) => ({ documented: shape })

/** A number that is written in an address. */
const numeral = (form: RegExp, refusal: Sentence) => z.string().regex(form, refusal).transform(Number)

/** An id in a path or query: digits only. */
export const IdInPath = numeral(/^[1-9]\d{0,15}$/, 'must be a positive integer')
  .refine((id) => id <= MOST, sentence('must be a positive integer'))
  .meta(documented({ type: 'integer', minimum: 1 }))

/** An id in a body. */
export const Id = z.number().int().positive().max(MOST)

/**
 * An id that is sent, with the kind that it identifies, named as in its path: `users`, `categories`. Tests send ids of
 * other people's rows.
 */
export const idOf = (kind: string) => Id.meta({ of: kind })
export const idInPathOf = (kind: string) => IdInPath.meta({ of: kind })

/** Where a log is read from: an id, or 0 for its beginning. */
export const AfterId = numeral(/^\d{1,15}$/, 'must be a whole number')
  .optional()
  .meta(documented({ type: 'integer', minimum: 0 }))

/** A count in a query, such as a page or a version: at most nine digits. */
export const Count = numeral(/^\d{1,9}$/, 'must be a whole number').meta(
  documented({ type: 'integer', minimum: 0, maximum: 999_999_999 }),
)

/** A count in a query that is refused if it is out of bounds. */
export const bounded = (least: number, most: number, usual?: number) =>
  Count.refine((count) => count >= least && count <= most, {
    error: sentence('must be from {minimum} to {maximum}'),
    params: { minimum: least, maximum: most },
  }).meta(
    documented({ type: 'integer', minimum: least, maximum: most, ...(usual !== undefined && { default: usual }) }),
  )

/**
 * A count in a query that is moved into its bounds instead of being refused; anything but a whole number becomes the
 * usual one.
 */
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

/** A version of something that is changed. */
export const Version = z
  .number()
  .int()
  .min(0)
  .max(2 ** 31 - 1)

/** The same in a patch, whose client may send it in If-Match instead. */
export const ReadVersion = Version.optional().describe('The version that was read; may be omitted if If-Match is sent')

/** What nobody sees: blanks, controls, and what is drawn as nothing. */
const UNSEEN = /^[\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]*$/u

const CONTROLS = /[\p{Cc}\p{Zl}\p{Zp}]/u

/** Text that is shown in one line, such as a name: a line end in it would make another line of a mail or a file. */
export const inOneLine = <Shape extends z.ZodType<string | null | undefined>>(shape: Shape) =>
  shape.refine((value) => !value || !CONTROLS.test(value), sentence('must be one line without control characters'))

/** Required text in one line, such as a name or a title: as `longText`. */
export const text = (most: number) => inOneLine(longText(most))

/** Text as all of it is kept: trimmed, in NFC, at most `most` characters. */
const tidy = (most: number) => z.string().trim().normalize('NFC').max(most)

/** Required text, of which something can be seen. */
export const longText = (most: number) =>
  tidy(most)
    .min(1, sentence('must not be blank'))
    .refine((value) => value === '' || !UNSEEN.test(value), sentence('must not be blank'))

/** Optional text that is a name of something or has a default: blank and null both clear it. */
export const optionalText = (most: number) =>
  tidy(most)
    .transform((value) => value || null)
    .nullable()
    .optional()

/** Optional text that may be empty: it comes back as it was sent, to clients whose types have a string there. */
export const keptText = (most: number) => tidy(most).nullable().optional()

/** The source of a slug or a code; if it is blank, the name is used. */
export const slugSource = z.string().trim().max(64).nullish()

/** `yyyy-MM-dd`, a day that exists. */
export const Day = z.iso.date().refine((day) => day >= '0001-01-01', sentence('must be a date of our era'))

/**
 * An ISO-8601 instant with an offset, with or without seconds; becomes UTC with milliseconds. A `+` that an address does
 * not escape arrives as a blank. Years with more than four digits sort before all others.
 */
export const Instant = z.preprocess(
  (given) =>
    typeof given === 'string'
      ? given.replace(/ (?=\d\d:\d\d$)/, '+').replace(/T\d\d:\d\d(?=Z$|[+-]\d\d:\d\d$)/, '$&:00')
      : given,
  z.iso
    .datetime({ offset: true })
    .transform((instant) => new Date(instant).toISOString())
    .refine((instant) => instant >= '0001-01-02', sentence('must be an instant of our era')),
)

/** A language that the service speaks. */
export const Locale = z.enum(LANGUAGES).meta({ id: 'Locale' })

/** An IANA time zone by its full name, as PostgreSQL knows it too: `Europe/Berlin`, `UTC`. */
export const TimeZone = z
  .string()
  .trim()
  .max(64)
  .refine(isTimeZone, sentence('must be an IANA time zone'))
  .meta({ examples: ['Europe/Berlin'] })

/** Whether a value names a time zone. Intl also accepts offsets, and abbreviations that mean something else elsewhere. */
export function isTimeZone(name: unknown): boolean {
  if (typeof name !== 'string') return false
  if (name !== 'UTC' && !/^(?!SystemV)[A-Z]\w*(\/[\w+-]+){1,2}$/.test(name)) return false
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }) !== undefined
  } catch {
    return false
  }
}

/** Free text to search for: 1 to 100 characters, in NFC like the searched text; blank counts as absent. */
export const Keyword = tidy(100)
  .transform((value) => value || undefined)
  .optional()

/** `{id}` in a path. */
export const IdParams = z.object({ id: IdInPath })

/** Views are serialised by hand; these shapes give the types of the contract. */
export const view = {
  id: z.number().int(),
  version: Version,
  text: z.string(),
  maybeText: z.string().nullable(),
  /** a person's name; for someone who has left, a word in the reader's language, for which the store returns a blank */
  person: z.string(),
  maybePerson: z.string().nullable(),
  maybeId: z.number().int().nullable(),
  instant: z.string().meta({ format: 'date-time' }),
  maybeInstant: z.string().meta({ format: 'date-time' }).nullable(),
  maybeDay: z.string().meta({ format: 'date' }).nullable(),
}

/**
 * A part of a view that is JSON already, as PostgreSQL writes it. It is copied into the answer as it is, which for long
 * texts is a fifth of the work of parsing and serialising it.
 */
export class Written {
  /** Marks both ends of it in a text that is being written. JSON always escapes it, so it occurs nowhere else. */
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

/** The schema of such a part; the document shows `schema` instead. */
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
 * Shows an example of a schema in the document, from data of the service: of each list the first item.
 * @param example called only when the document is written
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
