import { execFileSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { afterAll, describe, expect, test } from 'vitest'
import { TASK_MOVES } from '../../src/domains/tasks/tasks.rules.ts'
import { withoutUnused } from '../../src/http/docs/document.ts'
import { FailureView } from '../../src/http/request/envelope.ts'
import { buildDocument } from '../../tools/openapi/document.ts'
import { assertDocumented } from '../support/documented.ts'
import { outside, servedDocument, unwrittenDocuments } from '../support/domains.ts'
import { expectNone } from '../support/expect-none.ts'
import { buildOffline, listRoutes, listWalked, type Route } from '../support/routes.ts'

const routes = await listRoutes()
const walked = await listWalked()
const document: Record<string, any> = await buildDocument()
const unwritten = unwrittenDocuments.map((path) => `There is no ${path} yet: npm run openapi writes it`)
const app = await buildOffline()
afterAll(() => app.close())

test('the committed document is the one that the source says; npm run openapi writes it', () => {
  // What plug-ins and domains from outside add to a list stands last in what is served, and in order in what is built.
  const differences = differencesBetween(
    sorted(withoutUnused(JSON.parse(servedDocument))),
    sorted(withoutUnused(document)),
  )
  expectNone(differences.map((place) => `openapi.json is old at ${place}: npm run openapi writes it`))
})

test('and the part of the core is written as the source says, to the byte', () => {
  // In a process that knows no words of plug-ins.
  const program = `
    import { buildDocument } from './tools/openapi/document.ts'
    import { textOf } from './tools/openapi.ts'
    import { offlineConfig } from './tools/openapi/routes.ts'
    process.stdout.write(textOf(await buildDocument(offlineConfig({ PLUGINS: 'none' }))))`
  const options = { encoding: 'utf8', maxBuffer: 2 ** 26 } as const
  const built = execFileSync(process.execPath, ['--input-type=module', '--eval', program], options)
  expect(built === readFileSync('openapi.json', 'utf8'), 'npm run openapi writes openapi.json again').toBe(true)
})

test('the service serves it as it is committed, under a strong ETag', async () => {
  expectNone(unwritten)
  const answer = await app.inject('/openapi.json')
  expect(answer.body).toBe(servedDocument)
  expect(answer.headers).toMatchObject({
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-cache',
    etag: expect.stringMatching(/^"[\w-]{43}"$/),
  })

  const again = await app.inject({ url: '/openapi.json', headers: { 'if-none-match': answer.headers.etag as string } })
  expect(again).toMatchObject({ statusCode: 304, body: '' })
})

test('a slash too many is no error', async () => {
  expectNone(unwritten)
  expect((await app.inject('/openapi.json/')).body).toBe(servedDocument)
  expect((await app.inject('/api/v1/projects/')).json().error.type).toBe('UNAUTHENTICATED')
  const refusal = await app.inject({ method: 'DELETE', url: '/api/v1/projects/' })
  expect(refusal).toMatchObject({ statusCode: 405, headers: expect.objectContaining({ allow: 'GET, HEAD, POST' }) })
})

test('it describes every route of the service, and nothing that the service does not have', () => {
  const documented = operations().map(({ method, path }) => `${method} ${path}`)
  const declared = routes.map((route) => `${route.method} ${documentPath(route)}`)
  expectNone(declared.filter((one) => !documented.includes(one)).map((one) => `${one} is missing in the document`))
  expectNone(documented.filter((one) => !declared.includes(one)).map((one) => `${one} is documented and no route`))
})

test('no two operations have one name', () => {
  const names = operations().map(({ operation }) => operation.operationId)
  const twice = names.filter((name, at) => names.indexOf(name) !== at)
  expectNone(twice.map((name) => `Two operations are called ${name}: give one another operationId`))
})

test('every field of an answer is always there, but for those that clients know as optional', () => {
  const drafts = /(Draft|Patch|Request|Decision|Credentials|Registration|Change|Exchange)$/
  const optional = Object.entries<any>(document.components.schemas)
    .filter(([name]) => !drafts.test(name))
    .flatMap(([name, schema]) => optionalFields(schema).map((field) => `${name}.${field}`))
  const known = [
    ...['DataOverview.prefix', 'DemoDepartment.children', 'Failure.path'],
    ...['ListedTask.deletedAt', 'ListedTask.deletedById', 'ListedTask.deletedByName', 'Tenant.eraseAt'],
  ]
  expectNone(
    optional
      .filter((field) => !known.includes(field))
      .map((field) => `${field} may be missing in an answer: make it nullable, as clients expect every field`),
  )
  expect(optional).toEqual(known)
})

test('a header that may be left out has no example, which tools would send; a key that may not has one', () => {
  const headers = Object.values<any>(document.components.parameters)
  expectNone(
    headers
      .filter((header) => header.required !== 'example' in header)
      .map(({ name, required }) => `The header ${name} ${required ? 'needs an example' : 'must have no example'}`),
  )
  expect(headers.filter(({ required }) => required).map(({ name }) => name)).toEqual(['Idempotency-Key'])
})

/** Headers that are no parameters of an operation, each with what describes it instead. */
const ELSEWHERE: Record<string, string> = {
  accept: 'HTTP itself, and the media types of the answer',
  authorization: 'the security scheme',
  'content-length': 'HTTP itself',
  'content-type': 'HTTP itself, and the media types of the body',
  'transfer-encoding': 'HTTP itself',
  'user-agent': 'HTTP itself; the audit trail keeps it',
  cookie: 'browsers send it, with the sign-in at an identity provider that they have begun',
  origin: 'browsers send it',
  traceparent: 'W3C Trace Context; proxies and clients with tracing send it',
  'x-request-id': 'the introduction',
}

test('each header that the service reads is a parameter of the operations, or is known to be described elsewhere', async () => {
  const read = new Set<string>()
  for (const path of globSync('src/**/*.ts', {
    exclude: ['src/http/docs/**', 'src/plugins/s3/*.ts', 'src/plugins/*/{test,browser,console}/**'],
  })) {
    const source = await readFile(path, 'utf8')
    const names = [
      ...source.matchAll(/(?<!\/)\bheaders(?:\.|\[')([\w-]+)/g),
      ...[...source.matchAll(/\{([^{}]*)\} = (?:req\.|this\.)?headers\b/g)].flatMap(([, inside]) => [
        ...inside!.matchAll(/(?:^|,)\s*'?([\w-]+)/g),
      ]),
    ]
    for (const [, name] of names) read.add(name!)
  }
  const parameters = operations().flatMap(({ operation }) => operation.parameters.map(resolve))
  const documented = new Set(parameters.filter((one) => one.in === 'header').map(({ name }) => name.toLowerCase()))
  const known = (name: string) => documented.has(name) || name in ELSEWHERE
  expect([...read]).toEqual(expect.arrayContaining(['x-tenant-code', 'accept-language', 'if-match', 'range']))
  expectNone([...read].filter((name) => !known(name)).map((name) => `The header ${name} is read and not documented`))
  expect(document.info.description).toContain('X-Request-Id')
})

test('ids are declared to be of 64 bits where they are, and nothing stands in the way of languages with types', () => {
  const ids: any[] = []
  const mixed: string[] = []
  const empty: string[] = []
  JSON.stringify(document, (key, value) => {
    if (/^(id|\w+Id)$/.test(key) && [value?.type].flat().includes('integer')) ids.push({ key, ...value })
    const types = new Set(
      value?.anyOf?.map((option: any) => resolve(option).type).filter((type: string) => type !== 'null'),
    )
    if (types.has('array') && types.size > 1) mixed.push(key)
    if (value?.type === 'null' && Number.isNaN(Number(key))) empty.push(key)
    return value
  })
  expect(ids.length).toBeGreaterThan(50)
  const short = ids.filter(({ format, maximum }) => format !== 'int64' && !(maximum < 2 ** 31))
  expectNone(short.map(({ key }) => `The id ${key} is an integer of no known size: make it of idOf() or view.id`))
  expectNone(mixed.map((key) => `${key} is a list or an object: typed languages cannot read that, choose one`))
  expectNone(empty.map((key) => `${key} has the type null, which is none in typed languages: make it a constant`))
  const schemas = Object.keys(document.components.schemas)
  expectNone(
    schemas
      .filter((name) => schemas.includes(name.replace(/^New/, '')) && name.startsWith('New'))
      .map((name) => `${name} is what generators for Go call the constructor of another schema: name it otherwise`),
  )
})

test('the group of tasks shows what each status can become', () => {
  const { description } = document.tags.find(({ name }: any) => name === 'tasks')
  for (const [from, to] of Object.entries(TASK_MOVES))
    expect(description).toContain(`| \`${from}\` | ${to.map((status) => `\`${status}\``).join(', ')}`)
})

describe.each(walked.map((route) => [`${route.method} ${route.path}`, route] as const))('%s', (_, route) => {
  const operation = document.paths[documentPath(route)]?.[route.method.toLowerCase()]

  test('is in the document with its name, access and parameters', () => {
    expect(operation).toMatchObject({
      operationId: route.operationId,
      summary: route.summary,
      'x-access': route.access,
      security: route.access === 'anyone' ? [] : [{ token: [] }],
    })
    const named = (place: string) =>
      operation.parameters.map(resolve).filter((parameter: any) => parameter.in === place)
    expect(named('path').map(({ name }: any) => name)).toEqual(route.params)
    expect(named('query').map(({ name }: any) => name)).toEqual(Object.keys(route.schema.querystring?.shape ?? {}))
    expect(named('header').some(({ name, required }: any) => name === 'Idempotency-Key' && required)).toBe(
      route.idempotent,
    )
    expect(named('header').map(({ name }: any) => name)).toEqual(
      expect.arrayContaining(['X-Tenant-Code', 'Accept-Language']),
    )
  })

  test('succeeds in one way, and fails with the one failure wherever it can', () => {
    const statuses = Object.keys(operation.responses)
    const [success] = Object.keys(route.schema.response)
    const succeeds = (status: string) => /^(2|302)/.test(status) && status !== '206'
    expect(statuses.filter(succeeds)).toEqual([...(route.schema.makesNothing ? ['200'] : []), success])
    expect(statuses).toEqual(expect.arrayContaining(expected(route)))
    for (const status of statuses.filter((status) => status >= '400')) {
      const { content, headers } = resolve(operation.responses[status])
      expect(content['application/json'].schema).toEqual({ $ref: '#/components/schemas/Failure' })
      expect(headers).toHaveProperty('X-Request-Id')
    }
  })

  test('shows what it takes and answers by examples that it would take and answer', () => {
    const example = operation.requestBody?.content['application/json']?.example
    if (route.schema.body && !operation.requestBody.content['multipart/form-data'])
      expect(route.schema.body.safeParse(example).error?.issues).toBeUndefined()
    const inPath = operation.parameters.filter((parameter: any) => parameter.in === 'path')
    const params = Object.fromEntries(inPath.map(({ name, example }: any) => [name, String(example)]))
    expect(route.schema.params?.safeParse(params).error?.issues).toBeUndefined()

    const [status] = Object.keys(route.schema.response)
    const body = operation.responses[status!].content['application/json']?.example
    const url = route.path.replace(/:(\w+)/g, (_, name) => params[name]!)
    assertDocumented({ method: route.method, url: `/api/v1${url}`, status: Number(status), body })
  })
})

test('it names every type of refusal that there is', async () => {
  const sources = ['src', ...outside.map(({ folder }) => folder)].flatMap((cwd) => globSync(`${cwd}/**/*.ts`))
  const texts = await Promise.all(sources.map((path) => readFile(path, 'utf8')))
  const types = texts.flatMap((text) => [...text.matchAll(/\bfault\(\s*'([A-Z_]+)'/g)].map(([, type]) => type))
  expect([...new Set(types)].sort()).toEqual(document.components.schemas.FailureType.enum.toSorted())
})

test('the examples of refusals have the shape of a failure, and their own type and status', () => {
  for (const [type, { value }] of Object.entries<any>(document.components.examples)) {
    expect(FailureView.safeParse(value).error?.issues, type).toBeUndefined()
    expect(value.error.type).toBe(type)
  }
})

/** The places where two documents differ: `paths./api/v1/tasks/{id}.put.summary`. The order of fields does not count. */
function differencesBetween(one: any, other: any, place = ''): string[] {
  if (JSON.stringify(one) === JSON.stringify(other)) return []
  const areObjects = [one, other].every((value) => value && typeof value === 'object' && !Array.isArray(value))
  if (!areObjects) return [place]
  const names = [...new Set([...Object.keys(one), ...Object.keys(other)])]
  return names.flatMap((name) => differencesBetween(one[name], other[name], place ? `${place}.${name}` : name))
}

/** The same with its lists in one order. */
function sorted(value: unknown): unknown {
  const inOrder = (_: string, inner: unknown) =>
    Array.isArray(inner) ? inner.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)) : inner
  return JSON.parse(JSON.stringify(value, inOrder))
}

/** Statuses that follow from what a route declares. */
function expected({ method, access, idempotent, params }: Route): string[] {
  return [
    '400',
    ...(access === 'anyone' ? [] : ['401']),
    '403',
    '404',
    ...(params.length ? ['414'] : []),
    ...(method === 'GET' ? [] : ['413', '415']),
    ...(idempotent ? ['409'] : []),
    '429',
    '431',
    '500',
    '503',
  ]
}

function operations() {
  return Object.entries<any>(document.paths).flatMap(([path, methods]) =>
    Object.entries<any>(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  )
}

function documentPath({ path }: Route): string {
  return `/api/v1${path.replace(/:(\w+)/g, '{$1}')}`
}

function resolve(item: any): any {
  if (!item.$ref) return item
  return item.$ref
    .slice(2)
    .split('/')
    .reduce((place: any, key: string) => place[key], document)
}

/** Fields of a schema, at any depth, that need not be there. */
function optionalFields(schema: any): string[] {
  if (schema.items) return optionalFields(schema.items)
  if (schema.anyOf) return schema.anyOf.flatMap(optionalFields)
  const fields = Object.entries<any>(schema.properties ?? {})
  return [
    ...fields.map(([name]) => name).filter((name) => !schema.required?.includes(name)),
    ...fields.flatMap(([, field]) => optionalFields(field)),
  ]
}
