import type { Json } from './schemas.ts'

/**
 * What a document promises its clients, and what it demands of them, each as a sentence. A newer document keeps every
 * promise, and demands no more of an operation that was there before.
 */
interface Terms {
  promises: Set<string>
  /** What can be sent. What is demanded of something that could not be sent before is demanded of nobody who calls as before. */
  places: Set<string>
  /** What has no number is demanded or not. A number is a bound: a greater one demands less, or more if it is a minimum. */
  demands: Map<string, number>
}

/**
 * What in a newer document breaks a client of the older one (contract 10.7): an operation, a field or a value of a request
 * that is gone, something else in an answer, a new demand.
 * @returns a sentence for each
 */
export function breakingChanges(before: Json, now: Json): string[] {
  const [old, recent] = [operationsOf(before), operationsOf(now)]
  return [...old].flatMap(([name, operation]) => {
    const after = recent.get(name)
    if (!after) return [`${name} is gone`]
    const [was, is] = [termsOf(operation, before), termsOf(after, now)]
    const broken = [...was.promises].filter((promise) => !is.promises.has(promise))
    const isNew = (demand: string) => [...is.places].some((place) => !was.places.has(place) && isOf(place, demand))
    const added = [...is.demands].filter(
      ([demand, bound]) => isHarder(demand, bound, was.demands.get(demand)) && !isNew(demand),
    )
    return [
      ...broken.map((promise) => `${name} no longer ${promise}`),
      ...added.map(([demand, bound]) => `${name} demands more: ${demand}${Number.isNaN(bound) ? '' : ` ${bound}`}`),
    ]
  })
}

/** Whether a demand is made of what is sent at a place, or of a part of an object there. */
function isOf(place: string, demand: string): boolean {
  return demand.startsWith(`${place} `) || demand.slice(0, demand.lastIndexOf('.')) === place
}

function isHarder(demand: string, now: number, before: number | undefined): boolean {
  if (before === undefined) return true
  return / (min|exclusiveMin)\w+$/.test(demand) ? now > before : now < before
}

/** Those of the service, and those that a receiver of webhooks offers. */
function operationsOf({ paths, webhooks = {} }: Json): Map<string, Json> {
  const named = (group: Json, nameOf: (method: string, path: string) => string) =>
    Object.entries<Json>(group).flatMap(([path, methods]) =>
      Object.entries<Json>(methods).map(([method, operation]) => [nameOf(method, path), operation] as const),
    )
  return new Map([
    ...named(paths, (method, path) => `${method.toUpperCase()} ${path}`),
    ...named(webhooks, (_, event) => `webhook ${event}`).map(
      ([name, { operationId, requestBody }]) => [name, { operationId, responses: { sent: requestBody } }] as const,
    ),
  ])
}

function termsOf(operation: Json, document: Json): Terms {
  const terms: Terms = { promises: new Set(), places: new Set(), demands: new Map() }
  const { operationId, security = [], parameters = [], requestBody, responses } = operation
  const demand = (what: string) => terms.demands.set(what, Number.NaN)
  terms.promises.add(`is called ${operationId}`)
  if (security.length) demand(`access ${operation['x-access']}`)
  for (const parameter of parameters.map((one: Json) => resolve(one, document))) {
    const place = `${parameter.in} ${parameter.name}`
    terms.promises.add(`takes ${place}`)
    if (parameter.required) demand(place)
    taken(place, parameter.schema, document, terms)
  }
  if (requestBody?.required) demand('a body')
  for (const [mediaType, { schema }] of Object.entries<Json>(requestBody?.content ?? {})) {
    terms.promises.add(`takes ${mediaType}`)
    taken('body', schema, document, terms)
  }
  for (const [status, answer] of Object.entries<Json>(responses).filter(([status]) => /^(2|3|sent)/.test(status))) {
    terms.promises.add(`answers ${status}`)
    for (const [mediaType, { schema }] of Object.entries<Json>(resolve(answer, document).content ?? {})) {
      terms.promises.add(`answers ${status} as ${mediaType}`)
      answered(`answers ${status}`, schema, document, terms)
    }
  }
  return terms
}

/** What clients may send. */
function taken(place: string, schema: Json, document: Json, terms: Terms): void {
  for (const part of partsOf(place, schema, document)) {
    terms.places.add(part.place)
    for (const type of typesOf(part.schema)) terms.promises.add(`takes ${part.place} as ${type}`)
    for (const value of part.schema.enum ?? []) terms.promises.add(`takes ${part.place} ${JSON.stringify(value)}`)
    if (part.schema.enum) terms.demands.set(`${part.place} is one of a list`, Number.NaN)
    for (const name of part.schema.required ?? []) terms.demands.set(`${part.place}.${name}`, Number.NaN)
    for (const [word, value] of Object.entries(part.schema))
      if (/^(min|max|exclusive)/.test(word)) terms.demands.set(`${part.place} ${word}`, Number(value))
      else if (/^(pattern|format)$/.test(word)) terms.demands.set(`${part.place} ${word} ${value}`, Number.NaN)
  }
}

/** What clients may rely on in an answer. */
function answered(place: string, schema: Json, document: Json, terms: Terms): void {
  for (const part of partsOf(place, schema, document)) {
    const types = typesOf(part.schema)
    terms.promises.add(`${part.place} as ${types.filter((type) => type !== 'null').join(' or ')}`)
    if (!types.includes('null')) terms.promises.add(`${part.place}, which is never null`)
    for (const name of part.schema.required ?? []) terms.promises.add(`${part.place}.${name}, which is always there`)
  }
}

/** A schema and all inside it, with their places: `body.items[].title`. What contains itself is entered once. */
function partsOf(
  place: string,
  reference: Json,
  document: Json,
  entered: readonly string[] = [],
): { place: string; schema: Json }[] {
  if (reference.$ref && entered.includes(reference.$ref)) return []
  const schema = resolve(reference, document)
  const inside = reference.$ref ? [...entered, reference.$ref] : entered
  const into = (name: string, part: Json) => partsOf(`${place}${name}`, part, document, inside)
  return [
    { place, schema },
    ...Object.entries<Json>(schema.properties ?? {}).flatMap(([name, part]) => into(`.${name}`, part)),
    ...(schema.items ? into('[]', schema.items) : []),
    ...(typeof schema.additionalProperties === 'object' ? into('.*', schema.additionalProperties) : []),
    ...(schema.anyOf ?? schema['x-any-of'] ?? []).flatMap((part: Json) => into('', part)),
  ]
}

function typesOf({ type, anyOf, const: constant }: Json): string[] {
  if (constant === null) return ['null']
  if (type) return [type].flat()
  return (anyOf ?? []).some((option: Json) => option.const === null) ? ['anything', 'null'] : ['anything']
}

function resolve(schema: Json, document: Json): Json {
  if (!schema.$ref) return schema
  const [, ...path] = (schema.$ref as string).split('/')
  return resolve(
    path.reduce((inside: Json, name) => inside[name], document),
    document,
  )
}
