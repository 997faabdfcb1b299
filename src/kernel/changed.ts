import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'

/** One field that changed. Long and personal values are not repeated: then `from` and `to` are null. */
export interface FieldChange<Field extends string = string> {
  field: Field
  from: unknown
  to: unknown
}

/** The schema of the changes of an event: which of these fields changed, and their values before and after. */
export function changesOf<const Field extends string>(fields: readonly Field[]) {
  return z.array(z.object({ field: z.enum(fields), from: z.unknown(), to: z.unknown() }))
}

/**
 * The fields in which two states differ.
 * @param unshown fields whose values are not repeated, because they are long or name a person
 */
export function changesBetween<Field extends string>(
  before: { readonly [F in NoInfer<Field>]?: unknown },
  after: { readonly [F in NoInfer<Field>]?: unknown },
  fields: readonly Field[],
  unshown: readonly NoInfer<Field>[] = [],
): FieldChange<Field>[] {
  return fields.flatMap((field) => {
    const [from, to] = [before[field], after[field]]
    if (isDeepStrictEqual(from, to)) return []
    return [unshown.includes(field) ? { field, from: null, to: null } : { field, from, to }]
  })
}

/** The fields that a patch gives: those that are not undefined. */
export function givenOf<Fields extends object>(fields: Fields) {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined)
  return Object.fromEntries(given) as { [Name in keyof Fields]?: Exclude<Fields[Name], undefined> }
}
