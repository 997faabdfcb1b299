import { EXAMPLE, type Json } from './schemas.ts'

/** Examples of common fields whose schema has none. */
const USUAL: Json = {
  actorId: 7,
  createdAt: '2026-11-20T16:05:12.480Z',
  email: 'ada@velora.example',
  id: 42,
  nickname: 'Ada',
  page: 1,
  pageSize: 10,
  password: 'correct horse battery staple',
  tenantId: 1,
  total: 1,
  updatedAt: '2026-11-21T09:30:00.000Z',
  userId: 9,
  username: 'ada',
  version: 3,
}

/**
 * An example of a schema; `field` and `owner` say where it is. A component shows the fields of its `examples` (a draft
 * and a patch look like what they become), any schema shows its own; else it is the default, the first of an
 * enumeration, null if it may be null.
 */
export function exampleOf(schema: Json, components: Record<string, Json>, field = '', owner = ''): unknown {
  const known = { ...USUAL, ...shownBy(owner.replace(/(Draft|Patch)$/, ''), components), ...shownBy(owner, components) }
  if (known[field] !== undefined) return known[field]
  if (schema.$ref) {
    const name = schema.$ref.split('/').at(-1)
    return exampleOf(components[name]!, components, '', name)
  }
  if (isWhole(schema[EXAMPLE], schema)) return schema[EXAMPLE]
  if (schema.const !== undefined) return schema.const
  if (schema.default !== undefined) return schema.default
  const types = [schema.type].flat()
  if (types.includes('null')) return null
  if (schema.enum) return schema.enum[0]
  const options = schema.anyOf ?? schema['x-any-of']
  if (options) return exampleOf(options[0], components, field, owner)
  if (types.includes('boolean')) return true
  if (types.includes('array')) return field === 'children' ? [] : [exampleOf(schema.items, components)]
  if (types.includes('object'))
    return Object.fromEntries(
      Object.entries<Json>(schema.properties ?? {}).map(([name, property]) => [
        name,
        exampleOf(property, components, name, owner),
      ]),
    )
  if (types.includes('integer') && field.endsWith('Id')) return USUAL.id
  throw new Error(
    `What does ${owner}.${field} look like? Say it beside its schema: .meta({ id: '${owner}', examples: [{ ${field}: … }] })`,
  )
}

/** The example of an object may leave out what its fields show by themselves. */
function isWhole(example: unknown, { properties, required = [] }: Json): boolean {
  if (example === undefined || !properties) return example !== undefined
  return (required as string[]).every((name) => name in (example as Json))
}

function shownBy(name: string, components: Record<string, Json>): Json {
  return components[name]?.[EXAMPLE] ?? {}
}
