import { z } from 'zod'
import type { RequestHeader } from '../../src/http/request/described.ts'
import { hasPages } from '../../src/kernel/page.ts'
import { exampleOf } from './examples.ts'
import { EXAMPLE_KEY, OF_DEPRECATED, OF_EVERY_REQUEST, PARAMETERS } from './headers.ts'
import { refusalsOf } from './refusals.ts'
import type { Bytes, DeclaredRoute } from './routes.ts'
import type { Json, Schemas } from './schemas.ts'

/** One operation of the document. */
export function operationOf(route: DeclaredRoute, tag: string, schemas: Schemas): Json {
  const { operationId, summary, description, body } = route.schema
  return {
    operationId,
    tags: [tag],
    summary,
    description: [
      description,
      DEPRECATED_SENTENCE(route.deprecated),
      ACCESS_SENTENCE(route.access),
      KEYS_SENTENCE(route.closedToKeys),
    ]
      .filter(Boolean)
      .join('\n\n'),
    ...(route.deprecated && !route.deprecated.fields && { deprecated: true }),
    security: route.access === 'anyone' ? [] : [{ token: [] }],
    'x-access': route.access,
    parameters: parametersOf(route, schemas),
    ...(body && { requestBody: requestBodyOf(route, body, schemas) }),
    responses: { ...answersOf(route, schemas), ...refusalsOf(route) },
  }
}

function DEPRECATED_SENTENCE(deprecated: DeclaredRoute['deprecated']): string {
  if (!deprecated) return ''
  const { since, until, instead, fields } = deprecated
  const what = fields ? fields.map((name) => `\`${name}\``).join(', ') : 'This operation'
  return `Deprecated since ${since}: ${what} may be gone from ${until}. Use ${instead} instead.`
}

function ACCESS_SENTENCE(access: string): string {
  if (access === 'anyone') return 'Needs no token.'
  if (access === 'signed-in') return 'Needs a token and no permission.'
  if (!access.startsWith('system:')) return `Needs the permission \`${access}\`.`
  return `Only for the system administrator, with the permission \`${access.slice('system:'.length)}\`.`
}

function KEYS_SENTENCE(closedToKeys: DeclaredRoute['closedToKeys']): string {
  if (closedToKeys === 'all') return 'Refused to keys, which change nothing of their account.'
  return closedToKeys ? 'Refused to keys that are narrowed.' : ''
}

function parametersOf(route: DeclaredRoute, schemas: Schemas): Json[] {
  const { params, querystring } = route.schema
  const headers = [...(route.keyed ? ['Idempotency-Key'] : []), ...takenBy(route), ...OF_EVERY_REQUEST]
  return [
    ...fieldsOf('path', params, route, schemas),
    ...fieldsOf('query', querystring, route, schemas),
    ...headers.map((name) => ({ $ref: `#/components/parameters/${parameterName(name, route.idempotent)}` })),
  ]
}

function takenBy({ kept, versioned, method, schema }: DeclaredRoute): readonly RequestHeader[] {
  const isRead =
    kept || (method === 'GET' && schema.sends?.includes('ETag') && !schema.takes?.includes('If-None-Match'))
  return [
    ...(isRead ? (['If-None-Match'] as const) : []),
    ...(versioned ? (['If-Match'] as const) : []),
    ...(schema.takes ?? []),
  ]
}

function fieldsOf(
  where: 'path' | 'query',
  object: z.ZodObject | undefined,
  { method, url }: DeclaredRoute,
  schemas: Schemas,
): Json[] {
  if (!object) return []
  return Object.entries(object.shape).map(([name, field]) => {
    const { description, ...schema } = schemas.of(field as z.ZodType, 'input')
    const required = !(field as z.ZodType).safeParse(undefined).success
    return {
      name,
      in: where,
      required,
      ...(description && { description }),
      schema,
      ...(required && { example: exampleOf(schema, schemas, name, `${method} ${url}`) }),
    }
  })
}

/** The header parameters as components. A key that may be left out is another parameter than one that may not. */
export const headerParameters = Object.fromEntries(
  Object.entries(PARAMETERS).flatMap(([name, parameter]) => {
    const optional = [parameterName(name, false), { name, in: 'header', required: false, ...parameter }]
    if (name !== 'Idempotency-Key') return [optional]
    return [
      optional,
      [parameterName(name, true), { name, in: 'header', required: true, ...parameter, example: EXAMPLE_KEY }],
    ]
  }),
)

function parameterName(header: string, isRequired: boolean): string {
  return header === 'Idempotency-Key' && !isRequired ? 'Optional-Idempotency-Key' : header
}

function requestBodyOf(route: DeclaredRoute, body: z.ZodType, schemas: Schemas): Json {
  const [mediaType = 'application/json'] = (route.schema as { consumes?: string[] }).consumes ?? []
  const schema = withoutNull(schemas.of(body, 'input'))
  return {
    required: !(body instanceof z.ZodOptional),
    content: {
      [mediaType]: {
        schema,
        ...(mediaType === 'application/json' && { example: exampleOf(schema, schemas) }),
      },
    },
  }
}

/** A body that may be left out is one that is not required; nobody sends the word null. */
function withoutNull(schema: Json): Json {
  const options = schema.anyOf?.filter(({ type }: Json) => type !== 'null')
  return options?.length === 1 ? options[0] : schema
}

/** The success, and what it becomes on conditions: nothing was made, a part of the bytes, or nothing has changed. */
function answersOf(route: DeclaredRoute, schemas: Schemas): Json {
  const [[status, answer]] = Object.entries(route.schema.response) as [[string, z.ZodType | Bytes]]
  const isView = answer instanceof z.ZodType
  const content = isView
    ? { ...envelopeOf(answer, schemas), ...linesOf(route, answer, schemas), ...formsOf(route, schemas) }
    : bytesOf(answer, schemas)
  const headers = headersOf(route)
  const taken = takenBy(route)
  return {
    [status]: {
      description: isView ? route.schema.summary : answer.description,
      headers: { ...refer(headers), ...(route.deprecated && OF_DEPRECATED) },
      content,
    },
    ...(route.schema.makesNothing && {
      200: { description: route.schema.makesNothing, headers: refer(headers), content },
    }),
    ...(taken.includes('Range') && {
      206: { description: 'A part of it', headers: refer([...headers, 'Content-Range']), content },
    }),
    ...(taken.includes('If-None-Match') && { 304: { $ref: '#/components/responses/NotModified' } }),
  }
}

/** A stream of the rows, each on a line: the schema is that of one line. */
function linesOf({ schema }: DeclaredRoute, view: z.ZodType, schemas: Schemas): Json {
  if (schema.lines === undefined || !(view instanceof z.ZodArray)) return {}
  return { [schema.lines]: { schema: schemas.of(view.element as z.ZodType, 'output') } }
}

/** A list as a whole, in other media types. */
function formsOf({ schema: { forms = {} } }: DeclaredRoute, schemas: Schemas): Json {
  return Object.fromEntries(
    Object.entries(forms).map(([mediaType, schema]) => [mediaType, { schema: schemas.of(schema, 'output') }]),
  )
}

function headersOf(route: DeclaredRoute): string[] {
  return [
    'X-Request-Id',
    ...(route.schema.sends ?? []),
    ...(route.kept ? ['ETag', 'Cache-Control'] : []),
    ...(route.versioned ? ['ETag'] : []),
    ...(isList(route) ? ['X-Total-Count'] : []),
    ...(isList(route) || isPage(route) ? ['Link', 'X-Total-Count-Exact', 'X-Truncated'] : []),
  ]
}

function refer(headers: string[]): Json {
  return Object.fromEntries(headers.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
}

export const NOT_MODIFIED = { description: 'Nothing has changed.', headers: refer(['X-Request-Id', 'ETag']) }

/** Rows with their number: `reply.page` sends them. */
function isPage({ schema }: DeclaredRoute): boolean {
  const view = Object.values(schema.response ?? {})[0]
  return view instanceof z.ZodObject && 'pageSize' in view.shape && 'total' in view.shape
}

/** An array with pages: `reply.list` sends the others. */
function isList({ schema }: DeclaredRoute): boolean {
  const [answer] = Object.values(schema.response)
  return answer instanceof z.ZodArray && hasPages(schema.querystring)
}

function envelopeOf(view: z.ZodType, schemas: Schemas): Json {
  const data = schemas.of(view, 'output')
  const example = { code: 0, message: 'success', data: exampleOf(data, schemas) }
  return {
    'application/json': {
      schema: {
        type: 'object',
        required: ['code', 'message', 'data'],
        properties: { code: { type: 'integer', const: 0 }, message: { type: 'string', const: 'success' }, data },
      },
      example,
    },
  }
}

function bytesOf({ content }: Bytes, schemas: Schemas): Json {
  return Object.fromEntries(
    Object.entries(content).map(([mediaType, { schema }]) => [mediaType, { schema: schemas.of(schema, 'output') }]),
  )
}
