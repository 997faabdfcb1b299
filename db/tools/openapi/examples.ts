import type { Json } from './schemas.ts'

/**
 * What a field looks like, by its name; by `Component.name` where the name means something else there. A field that is
 * not named here shows what its schema says: the first of an enumeration, a plain number, null where it may be null.
 */
const VALUES: Record<string, unknown> = {
  id: 42,
  name: 'Apollo',
  code: 'APOLLO',
}

/** An example of a schema; `owner` and `name` say which field it is. */
export function exampleOf(schema: Json, components: Record<string, Json>, name = '', owner = ''): unknown {
  const known = VALUES[`${owner}.${name}`] ?? VALUES[name]
  if (known !== undefined) return known
  if (schema.$ref) {
    const component = schema.$ref.split('/').at(-1)
    return exampleOf(components[component]!, components, '', component)
  }
  if (schema.const !== undefined) return schema.const
  if (schema.default !== undefined) return schema.default
  if (schema.enum) return schema.enum[0]
  if (schema.anyOf) return exampleOf(schema.anyOf[0], components, name, owner)
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type
  if (type === 'object')
    return Object.fromEntries(
      Object.entries((schema.properties ?? {}) as Json).map(([field, property]) => [
        field,
        field === 'children' ? [] : exampleOf(property, components, field, owner),
      ]),
    )
  if (type === 'array') return [exampleOf(schema.items, components, name, owner)]
  if (type === 'integer' || type === 'number') return schema.minimum ?? 1
  if (type === 'boolean') return true
  if (schema.format === 'date') return '2026-11-21'
  if (schema.format === 'date-time') return '2026-11-21T09:30:00.000Z'
  if (schema.format === 'email') return 'ada@example.com'
  return 'text'
}
