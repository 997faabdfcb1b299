/**
 * Writes `operations.ts` from `openapi.json`: an interface for each named schema, what each operation takes and yields,
 * and where it is found. The document keeps to a small part of JSON Schema, and so does this; what it does not know stops it.
 */
type Schema = Record<string, any>
interface Operation {
  operationId: string
  summary: string
  parameters: Schema[]
  requestBody?: { required?: boolean; content: Record<string, { schema: Schema }> }
  responses: Record<string, { content?: Record<string, { schema: Schema }> }>
}
interface Webhook {
  summary: string
  requestBody: { content: { 'application/json': { schema: Schema } } }
}
interface Described {
  method: string
  path: string
  operation: Operation
}

const WIDTH = 120

/** The text of `operations.ts` for a document. */
export function generate(document: Schema): string {
  const schemas = Object.entries(document.components.schemas as Record<string, Schema>).sort(byName)
  const described: Described[] = Object.entries(document.paths as Record<string, Record<string, Operation>>)
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
    )
    .sort((a, b) => (a.operation.operationId < b.operation.operationId ? -1 : 1))
  return [
    '// Generated from openapi.json by `npm run openapi`. Do not edit.\n',
    ...schemas.map(([name, schema]) => named(name, schema)),
    '/** What each operation takes (parameters by name, and the body) and what it yields. */',
    'export interface Operations {',
    ...described.map((one) => signature(one, document)),
    '}\n',
    '/** The events of the log and of webhooks, by their types. */',
    'export interface Events {',
    ...Object.entries(document.webhooks as Record<string, { post: Webhook }>).map(([type, { post }]) =>
      received(type, post),
    ),
    '}\n',
    '/** Where each operation is found, and what is special about it. */',
    'export const operations = {',
    ...described.map((one) => place(one, document)),
    '} as const\n',
  ].join('\n')
}

function received(type: string, { summary, requestBody }: Webhook): string {
  return `  /** ${summary} */\n  '${type}': ${typeOf(requestBody.content['application/json'].schema)}`
}

function byName([a]: [string, unknown], [b]: [string, unknown]): number {
  return a < b ? -1 : 1
}

function named(name: string, schema: Schema): string {
  const comment = schema.description ? `/** ${schema.description} */\n` : ''
  if (schema.type !== 'object') return `${comment}${alias(name, typeOf(schema))}\n`
  return `${comment}export interface ${name} {\n${fields(schema, '  ').join('\n')}\n}\n`
}

function alias(name: string, type: string): string {
  const line = `export type ${name} = ${type}`
  return line.length <= WIDTH ? line : `export type ${name} =\n  | ${type.replaceAll(' | ', '\n  | ')}`
}

function fields(schema: Schema, indent: string): string[] {
  const required = new Set<string>(schema.required ?? [])
  const lines = Object.entries(schema.properties as Record<string, Schema>).map(([field, value]) => {
    const comment = value.description ? `${indent}/** ${value.description} */\n` : ''
    return `${comment}${indent}${field}${required.has(field) ? '' : '?'}: ${typeOf(value)}`
  })
  return schema.additionalProperties ? [...lines, `${indent}[field: string]: unknown`] : lines
}

function typeOf(schema: Schema): string {
  if (schema.$ref) return schema.$ref.split('/').at(-1)
  if (schema.const !== undefined) return quoted(schema.const)
  if (schema.enum) return schema.enum.map((value: unknown) => quoted(value)).join(' | ')
  const options = schema.anyOf ?? schema['x-any-of']
  if (options) return options.map(typeOf).join(' | ')
  if (Array.isArray(schema.type)) return schema.type.map((type: string) => typeOf({ ...schema, type })).join(' | ')
  // No Blob: the service goes by the name of a file.
  if (schema.format === 'binary') return 'File'
  switch (schema.type) {
    case 'string':
    case 'boolean':
    case 'null':
      return schema.type
    case 'integer':
    case 'number':
      return 'number'
    case 'array': {
      if (schema.prefixItems) return `[${schema.prefixItems.map(typeOf).join(', ')}]`
      const item = typeOf(schema.items)
      return item.includes(' ') ? `(${item})[]` : `${item}[]`
    }
    case 'object':
      if (!schema.properties && schema.additionalProperties)
        return `{ [name: string]: ${typeOf(schema.additionalProperties)} }`
      return `{ ${fields({ ...schema, properties: plain(schema.properties) }, '').join('; ')} }`
    case undefined:
      return 'unknown'
  }
  throw new Error(`no type for ${JSON.stringify(schema)}`)
}

/** Inside a line there is no room for comments. */
function plain(properties: Record<string, Schema>): Record<string, Schema> {
  return Object.fromEntries(Object.entries(properties).map(([name, { description: _, ...schema }]) => [name, schema]))
}

function quoted(value: unknown): string {
  return typeof value === 'string' ? `'${value}'` : String(value)
}

function signature({ operation }: Described, document: Schema): string {
  const parameters = parametersOf(operation, document).filter((one) => one.in === 'path' || one.in === 'query')
  const body = bodyOf(operation)
  const takes = [
    ...parameters.map(({ name, required, schema }) => `${name}${required ? '' : '?'}: ${typeOf(schema)}`),
    ...(body ? [`body${operation.requestBody?.required ? '' : '?'}: ${typeOf(body.schema)}`] : []),
  ]
  const line = `  ${operation.operationId}: { takes: ${takes.length ? `{ ${takes.join('; ')} }` : 'object'}; yields: ${yieldsOf(operation)} }`
  const comment = `  /** ${operation.summary} */\n`
  if (line.length <= WIDTH) return comment + line
  const long = takes.length ? `{\n${takes.map((one) => `      ${one}`).join('\n')}\n    }` : 'object'
  return `${comment}  ${operation.operationId}: {\n    takes: ${long}\n    yields: ${yieldsOf(operation)}\n  }`
}

function place({ method, path, operation }: Described, document: Schema): string {
  const parameters = parametersOf(operation, document)
  const content = contentOf(operation)
  const special = [
    ...(parameters.some(({ name }) => name === 'Idempotency-Key') ? ['keyed: true'] : []),
    ...(bodyOf(operation)?.type === 'multipart/form-data' ? ['form: true'] : []),
    ...(bodyOf(operation)?.type.startsWith('text/') ? [`sends: '${bodyOf(operation)!.type}'`] : []),
    ...(content && !content['application/json']
      ? [`answers: '${content['text/event-stream'] ? 'events' : 'bytes'}'`]
      : []),
    ...listOf(operation, document),
  ]
  const fields = [`method: '${method}'`, `path: '${path}'`, ...special]
  const line = `  ${operation.operationId}: { ${fields.join(', ')} },`
  return line.length <= WIDTH
    ? line
    : `  ${operation.operationId}: {\n${fields.map((one) => `    ${one},`).join('\n')}\n  },`
}

/** The two list shapes: a page that names its total, or an array whose header names what follows. */
function listOf(operation: Operation, document: Schema): string[] {
  const names = new Set(parametersOf(operation, document).map(({ name }) => name))
  if (!names.has('page')) return []
  return [`list: '${yieldsOf(operation).endsWith('[]') ? 'array' : 'page'}'`]
}

function parametersOf(operation: Operation, document: Schema): Schema[] {
  return (operation.parameters ?? []).map((one) =>
    one.$ref ? document.components.parameters[one.$ref.split('/').at(-1)] : one,
  )
}

function bodyOf(operation: Operation): { type: string; schema: Schema } | undefined {
  const [found] = Object.entries(operation.requestBody?.content ?? {})
  return found && { type: found[0], schema: found[1].schema }
}

function contentOf({ responses }: Operation) {
  const success = Object.keys(responses).find((status) => status.startsWith('2'))
  return success === undefined ? undefined : responses[success]!.content
}

function yieldsOf(operation: Operation): string {
  const schema = contentOf(operation)?.['application/json']?.schema
  return schema ? typeOf(schema.properties.data) : 'Response'
}
