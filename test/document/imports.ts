import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'

/**
 * Bruno imports openapi.json as it is; Postman with its settings "Parameter generation: Example" and "Enable optional
 * parameters" off. What they make of it can be sent once there is an address and a token: nothing is made up that
 * narrows a list or makes a change conditional, and bodies and keys are those that the document shows.
 */
interface Request {
  name: string
  /** those that are switched on, as are the parameters */
  headers: Record<string, string>
  query: Record<string, string>
  body: unknown
}

type Json = Record<string, any>
/** Both are of this folder's own package, which is not there when the service is checked. */
const require = createRequire(import.meta.url)
const { openApiToBruno } = require('@usebruno/converters')
const { convertV2 } = require('openapi-to-postmanv2')
const document: Json = JSON.parse(await readFile(new URL('openapi.json', import.meta.url), 'utf8'))
/** Those that a tool adds for itself. */
const USUAL = ['Accept', 'Content-Type']

const wrong = [...findings('Bruno', ofBruno(openApiToBruno(document))), ...findings('Postman', await ofPostman())]
for (const finding of wrong) console.error(finding)
process.exitCode = wrong.length ? 1 : 0

function findings(tool: string, requests: Request[]): string[] {
  const byName = new Map(requests.map((request) => [request.name, request]))
  return Object.values<Json>(document.paths).flatMap((path) =>
    Object.values<Json>(path).flatMap((operation) => {
      const request = byName.get(operation.summary)
      if (!request) return [`${tool}: "${operation.summary}" is missing`]
      return [...differences(operation, request)].map((finding) => `${tool}: "${operation.summary}" ${finding}`)
    }),
  )
}

function* differences(operation: Json, { headers, query, body }: Request): Generator<string> {
  const parameters: Json[] = operation.parameters.map((one: Json) =>
    one.$ref ? document.components.parameters[one.$ref.split('/').at(-1)] : one,
  )
  const required = (name: string) => parameters.find((one) => one.name === name && one.required)
  for (const [name, value] of Object.entries(headers))
    if (!USUAL.includes(name) && required(name)?.example !== value) yield `would send ${name}: ${value}`
  for (const { name, in: where, required } of parameters)
    if (where === 'header' && required && !(name in headers)) yield `lacks ${name}`
  for (const [name, value] of Object.entries(query)) {
    const known = parameters.find((one) => one.in === 'query' && one.name === name)
    if (String(known?.example ?? known?.schema.default) !== value) yield `would narrow its list by ${name}=${value}`
  }
  const example = operation.requestBody?.content['application/json']?.example
  if (example !== undefined && JSON.stringify(body) !== JSON.stringify(example))
    yield `has the body ${JSON.stringify(body)}`
}

function ofBruno({ items }: Json): Request[] {
  return leaves(items, 'items').map(({ name, request }) => ({
    name,
    headers: sent(request.headers, 'name'),
    query: sent(
      request.params.filter(({ type }: Json) => type === 'query'),
      'name',
    ),
    body: request.body.json === null ? undefined : JSON.parse(request.body.json),
  }))
}

async function ofPostman(): Promise<Request[]> {
  const settings = { parametersResolution: 'Example', enableOptionalParameters: false }
  const made = await new Promise<Json>((resolve, reject) =>
    convertV2({ type: 'json', data: document }, settings, (error: unknown, result: Json) =>
      error ? reject(error) : resolve(result.output[0].data),
    ),
  )
  return leaves(made.item, 'item').map(({ name, request }) => ({
    name,
    headers: sent(request.header ?? [], 'key'),
    query: sent(request.url.query ?? [], 'key'),
    body: request.body?.mode === 'raw' ? bodyOf(request.body.raw) : undefined,
  }))
}

/** What is no JSON is sent as it is. */
function bodyOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** The requests of a collection, out of its folders. */
function leaves(items: Json[], below: string): Json[] {
  return items.flatMap((item) => (item[below] ? leaves(item[below], below) : [item]))
}

/** The headers or parameters that are switched on. */
function sent(all: Json[], named: string): Record<string, string> {
  const on = all.filter(({ enabled, disabled }) => enabled !== false && disabled !== true)
  return Object.fromEntries(on.map((one) => [one[named], String(one.value)]))
}
