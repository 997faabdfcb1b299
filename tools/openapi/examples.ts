import { EXAMPLE, type Json, type Schemas } from './schemas.ts'

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
 * enumeration, null if it may be null. Of what none is known, the sentence is added to the gaps of the schemas.
 */
export function exampleOf(schema: Json, schemas: Examples, field = '', owner = ''): unknown {
  const { components } = schemas
  const known = { ...USUAL, ...shownBy(owner.replace(/(Draft|Patch)$/, ''), components), ...shownBy(owner, components) }
  if (known[field] !== undefined) return known[field]
  if (schema.$ref) {
    const name = schema.$ref.split('/').at(-1)
    return exampleOf(components[name]!, schemas, '', name)
  }
  if (isWhole(schema[EXAMPLE], schema)) return schema[EXAMPLE]
  if (schema.const !== undefined) return schema.const
  if (schema.default !== undefined) return schema.default
  const types = [schema.type].flat()
  if (types.includes('null')) return null
  if (schema.enum) return schema.enum[0]
  const options = schema.anyOf ?? schema['x-any-of']
  if (options) return exampleOf(options[0], schemas, field, owner)
  if (types.includes('boolean')) return true
  if (types.includes('array')) return field === 'children' ? [] : [exampleOf(schema.items, schemas)]
  if (types.includes('object'))
    return Object.fromEntries(
      Object.entries<Json>(schema.properties ?? {}).map(([name, property]) => [
        name,
        exampleOf(property, schemas, name, owner),
      ]),
    )
  if (types.includes('integer') && field.endsWith('Id')) return USUAL.id
  if (schema.format in WELL_FORMED) return WELL_FORMED[schema.format]
  schemas.gaps.add(gapIn(field, owner))
  return null
}

/** An example of these is as good as any other. */
const WELL_FORMED: Json = { date: '2026-12-01', 'date-time': '2026-12-01T08:30:00.000Z' }

type Examples = Pick<Schemas, 'components' | 'gaps'>

/** @param owner a component, or the operation of a parameter: `GET /rooms` */
function gapIn(field: string, owner: string): string {
  const what = `What does ${[owner, field].filter(Boolean).join('.')} look like? Say it beside its schema`
  if (/^\w+$/.test(owner)) return `${what}: .meta({ id: '${owner}', examples: [{ ${field}: … }] })`
  return `${what}: .meta({ examples: ['…'] })`
}

/** The example of an object may leave out what its fields show by themselves. */
function isWhole(example: unknown, { properties, required = [] }: Json): boolean {
  if (example === undefined || !properties) return example !== undefined
  return (required as string[]).every((name) => name in (example as Json))
}

function shownBy(name: string, components: Record<string, Json>): Json {
  return components[name]?.[EXAMPLE] ?? {}
}
