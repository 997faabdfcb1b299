import { z } from 'zod'
import type { DeclaredRoute } from './routes.ts'

export type Json = Record<string | symbol, any>
/** Where a schema keeps its example: it is for the operations, and not written out with the schema. */
export const EXAMPLE = Symbol('example')
/** What an id is the id of, likewise. */
export const KIND = Symbol('kind')

/**
 * Converts Zod schemas into those of the document. A schema with an id becomes a component, and is referenced by its
 * name.
 */
export interface Schemas {
  /** The schema of what enters (`input`) or leaves (`output`). */
  of(schema: z.ZodType, io: 'input' | 'output'): Json
  components: Record<string, Json>
  /** what has no example, each with the cure */
  gaps: Set<string>
}

/** Components of all routes exist from the start: a draft shows what its view does. */
export function openSchemas(routes: readonly Pick<DeclaredRoute, 'schema'>[]): Schemas {
  const components: Record<string, Json> = {}

  function add(name: string, component: Json) {
    const known = components[name]
    if (known && JSON.stringify(known) !== JSON.stringify(component))
      throw new Error(`${name} differs in what enters and what leaves: give the two different ids`)
    components[name] = component
  }

  const of: Schemas['of'] = (schema, io) => {
    // Zod writes references for inner schemas, and writes out the outermost one; so the schema is wrapped.
    const whole = z.toJSONSchema(z.object({ it: schema }), {
      io,
      unrepresentable: 'any',
      override: keepExample,
    }) as Json
    for (const [name, component] of Object.entries(whole.$defs ?? {})) add(name, tidy(component as Json))
    return tidy(whole.properties.it)
  }

  for (const { schema } of routes) {
    if (schema.body) of(schema.body, 'input')
    for (const view of Object.values(schema.response)) if (view instanceof z.ZodType) of(view, 'output')
  }
  return { components, gaps: new Set(), of }
}

/** Zod leaves out the examples of transformed input, because they would show the output. Ours do not. */
function keepExample({ zodSchema, jsonSchema }: { zodSchema: z.core.$ZodType; jsonSchema: Json }): void {
  const { examples } = (z.globalRegistry.get(zodSchema) ?? {}) as { examples?: unknown[] }
  if (examples) jsonSchema.shown = examples[0]
}

/** Formats that say the same as the patterns that Zod writes beside them. */
const FORMATS = ['date', 'date-time', 'email']

/** A schema as a person would have written it. */
function tidy({ documented, id, $schema, examples, shown, of, ...schema }: Json): Json {
  if (shown !== undefined) schema[EXAMPLE] = shown
  if (of) schema[KIND] = of
  if (documented)
    return {
      ...withFormat(documented),
      [KIND]: of,
      ...(shown !== undefined && { [EXAMPLE]: shown }),
      ...(schema.description && { description: schema.description }),
    }
  // Typed languages have no type for null alone, and their generators stop at one; a constant they can read.
  if (schema.type === 'null') return { const: null }
  if (schema.$ref) schema.$ref = schema.$ref.replace('#/$defs/', '#/components/schemas/')
  // Answers may get more fields one day; clients ignore unknown ones.
  if (schema.additionalProperties === false) delete schema.additionalProperties
  if (FORMATS.includes(schema.format)) delete schema.pattern
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum
  if (schema.items) schema.items = tidy(schema.items)
  if (typeof schema.additionalProperties === 'object') schema.additionalProperties = tidy(schema.additionalProperties)
  if (schema.properties)
    schema.properties = Object.fromEntries(
      Object.entries(schema.properties as Json).map(([name, property]) => [name, tidy(property)]),
    )
  return schema.anyOf ? tidyUnion(schema) : withFormat(schema)
}

/** Typed languages have no union of lists and objects, and their generators stop at one. Ours reads the extension. */
function isMixed(options: Json[]): boolean {
  const lists = options.filter(({ type }) => type === 'array')
  return lists.length > 0 && options.some(({ type }) => type !== 'array' && type !== 'null')
}

const INT32_MAX = 2 ** 31 - 1

/** Typed languages read a whole number into 32 bits unless the schema says that it may be larger, as ids are. */
function withFormat(schema: Json): Json {
  if (schema.type !== 'integer' || schema.enum || schema.const !== undefined) return schema
  return (schema.maximum ?? Number.POSITIVE_INFINITY) > INT32_MAX ? { ...schema, format: 'int64' } : schema
}

/** `anyOf` without empty members, and replaced if one type and null is all that is left. */
function tidyUnion({ anyOf, ...rest }: Json): Json {
  const options = (anyOf as Json[])
    .map((option) => (option.type === 'null' ? option : tidy(option)))
    .filter((option) => Object.keys(option).length > 0)
  const [one, ...others] = options.filter(({ type }) => type !== 'null')
  const isNullable = options.length > others.length + 1
  if (isMixed(options)) return { ...rest, 'x-any-of': options }
  if (!one || others.length > 0) return { ...rest, anyOf: options }
  if (!isNullable) return { ...one, ...rest }
  if (typeof one.type !== 'string') return { ...rest, anyOf: options }
  return { ...one, type: [one.type, 'null'], ...(one.enum && { enum: [...one.enum, null] }), ...rest }
}
