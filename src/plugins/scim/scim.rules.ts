import { type Config, type FastifyReply, fault, notFound } from '#atrium'
import type { Wanted } from './scim.schemas.ts'

type Refusal = ReturnType<FastifyReply['refuse']>

export const scimFaults = {
  groupNotFound: notFound('Group'),
  groupTaken: fault('ROLE_CODE_TAKEN', 409, 'There is a group of this name already'),
  nothingHere: fault('ROUTE_NOT_FOUND', 404, 'There is nothing of this kind in SCIM'),
  invalidFilter: fault('VALIDATION_FAILED', 400, 'The filter is not understood'),
  invalidPath: fault('VALIDATION_FAILED', 400, 'The path is not understood'),
  invalidSyntax: fault('VALIDATION_FAILED', 400, 'The operation is not understood'),
  mutability: fault('VALIDATION_FAILED', 400, 'This cannot be changed'),
  tooMany: fault('VALIDATION_FAILED', 400, 'This is too much for one answer'),
}

/** What a refusal is called in SCIM: by its sentence, else by its type. @see RFC 7644, section 3.12, table 9 */
const SCIM_TYPES: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    (['invalidFilter', 'invalidPath', 'invalidSyntax', 'mutability', 'tooMany'] as const).map((name) => [
      scimFaults[name]().message,
      name,
    ]),
  ),
  VALIDATION_FAILED: 'invalidValue',
  MALFORMED_JSON: 'invalidSyntax',
  PAGE_TOO_DEEP: 'tooMany',
  USERNAME_TAKEN: 'uniqueness',
  NICKNAME_TAKEN: 'uniqueness',
  ROLE_CODE_TAKEN: 'uniqueness',
}

/** The body of a refusal. */
export function errorBody({ status, type, sentence, message }: Refusal) {
  const scimType = SCIM_TYPES[sentence] ?? SCIM_TYPES[type]
  return {
    schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
    status: String(status),
    ...(scimType && { scimType }),
    detail: message,
  }
}

/** What the routes of SCIM share: where they are, and how an answer is sent. */
export interface ScimOptions {
  base: string
  files: Config['files']
  send(reply: FastifyReply, body: object): FastifyReply
}

export const MOST_RESULTS = 200
const USUAL_RESULTS = 100

/** The part of a list that was asked for. A negative count means none, and an index below 1 means the first. @see RFC 7644, section 3.4.2.4 */
export function windowOf(query: { startIndex?: number | undefined; count?: number | undefined }) {
  const { startIndex = 1, count = USUAL_RESULTS } = query
  return { startIndex: Math.max(1, startIndex), count: Math.min(Math.max(0, count), MOST_RESULTS) }
}

/** The body of a list. */
export function listBody(
  resources: readonly object[],
  totalResults: number,
  { startIndex }: Pick<ReturnType<typeof windowOf>, 'startIndex'>,
) {
  return {
    schemas: ['urn:ietf:params:scim:api:messages:2.0:ListResponse'],
    totalResults,
    startIndex,
    itemsPerPage: resources.length,
    Resources: resources,
  }
}

/** Attributes that are in every answer. */
const ALWAYS = ['schemas', 'id', 'meta']

/** Whether a client wants an attribute: only these, or all but those. Names are compared without case. */
export function isWanted(name: string, { attributes, excludedAttributes }: Wanted): boolean {
  if (ALWAYS.includes(name)) return true
  if (attributes !== undefined) return topNames(attributes).has(name.toLowerCase())
  return excludedAttributes === undefined || !topNames(excludedAttributes).has(name.toLowerCase())
}

/** A resource with the wanted attributes; a part of a complex attribute brings all of it. */
export function project(resource: object, wanted: Wanted): object {
  if (wanted.attributes === undefined && wanted.excludedAttributes === undefined) return resource
  return Object.fromEntries(Object.entries(resource).filter(([name]) => isWanted(name, wanted)))
}

/** `name.givenName, urn:…:User:userName` → name, username */
function topNames(list: string): Set<string> {
  return new Set(
    list.split(',').map((name) =>
      name
        .trim()
        .replace(/^urn:.*:/i, '')
        .split('.', 1)[0]!
        .toLowerCase(),
    ),
  )
}
