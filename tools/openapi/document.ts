import type { Domain } from '../../src/atrium/domain.ts'
import { MailKindName } from '../../src/atrium/outgoing-mail.ts'
import { VERSION } from '../../src/config/build.ts'
import { FailureView } from '../../src/http/request/envelope.ts'
import { faults } from '../../src/kernel/fault.ts'
import { allMailKinds } from '../../src/kernel/words/mails.ts'
import { isInCore, loadDomains } from '../../src/load-domains.ts'
import { HEADERS } from './headers.ts'
import { headerParameters, NOT_MODIFIED, operationOf } from './operation.ts'
import { refusalExamples, sharedRefusals } from './refusals.ts'
import { collectRoutes, type DeclaredRoute, offlineConfig } from './routes.ts'
import { type Json, openSchemas } from './schemas.ts'
import { webhooksOf } from './webhooks.ts'

/**
 * The OpenAPI document of the service, from its routes and their schemas. The same source gives the same text.
 * @param config names the domains from outside
 * @throws Error that names everything that has no example
 */
export async function buildDocument(config = offlineConfig()): Promise<Json> {
  const routes = await collectRoutes(config)
  const schemas = openSchemas(routes)
  const domains = await loadDomains(config)
  const tags = openTags(domains)
  schemas.of(FailureView, 'output')
  // A domain may declare mails although no operation lists them.
  if (allMailKinds().length > 0) schemas.of(MailKindName, 'output')
  const paths: Record<string, Json> = {}
  // Plug-ins and domains from outside come last, so that they do not change the existing order.
  const inCore = (route: DeclaredRoute) => isInCore(domains.find(({ name }) => name === route.domain)!)
  const { true: own = [], false: added = [] } = Object.groupBy(
    routes,
    (route) => String(inCore(route)) as 'true' | 'false',
  )
  for (const route of [...own, ...added]) {
    const tag = tags.of(route.url.replace('/api/v1', ''))
    const path = route.url.replace(/:(\w+)/g, '{$1}')
    paths[path] ??= {}
    paths[path][route.method.toLowerCase()] = operationOf(route, tag, schemas)
  }
  const webhooks = webhooksOf(domains, schemas)
  if (schemas.gaps.size) throw new Error([...schemas.gaps].join('\n'))
  const responses = sorted({ ...sharedRefusals(), NotModified: NOT_MODIFIED })
  schemas.components.FailureType!.enum = failureTypes()
  return {
    openapi: '3.1.0',
    info: {
      title: 'Atrium',
      version: VERSION,
      description: INTRODUCTION,
      contact: { name: 'The operator of this service' },
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/', description: 'This server' }],
    tags: tags.list(),
    paths,
    webhooks,
    components: {
      securitySchemes: {
        token: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'JWT',
          description: 'The `accessToken` of a sign-in.',
        },
      },
      parameters: sorted(headerParameters),
      headers: sorted(HEADERS),
      responses,
      examples: sorted(refusalExamples),
      schemas: sorted(schemas.components),
    },
  }
}

const INTRODUCTION = `One HTTP service that is the whole back end of an enterprise web application.

**Responses.** A success has the body \`{"code":0,"message":"success","data":…}\`. A refusal has its true HTTP status and the
schema \`Failure\`: decide on \`error.type\`, show \`message\`, and find more in \`error.details\`. Ids are integers, instants are
ISO 8601 in UTC with milliseconds, and days are \`yyyy-MM-dd\`. A missing value is \`null\`.

**Signing in.** \`login\` returns an access token, which is sent as \`Authorization: Bearer …\`, and a refresh token for
\`refreshSession\`, which works once. The description of each operation and \`x-access\` say what the operation requires.

**Tenants.** A token belongs to one tenant, and so does everything that is read or written with it. A resource of another
tenant is answered as if it did not exist. Public operations take the tenant from the header \`X-Tenant-Code\`, and so do sign-in
and registration if the body has no \`tenantCode\`. The default is the tenant \`default\`. With a token the header has no effect,
except for the system administrator, who works in the tenant it names.

**Languages.** \`Accept-Language\` chooses \`en\`, or \`zh-CN\` for any Chinese. It applies to the messages of refusals, to
notifications, and to initial content that nobody has edited. \`error.type\` is the same in every language.

**Lists.** \`page\` and \`pageSize\` select a page. A list announces more rows with \`Link: <…>; rel="next"\`. If a page was
requested, \`X-Total-Count\` says how many rows there are, counted up to 1000. Lists with \`items\` have a \`total\`, counted up
to 10 000. Beyond that, \`X-Total-Count-Exact: false\` says that there are more. A search examines the first 100 000 rows, and
its \`Link\` continues after them. If no \`page\` was sent, \`Link\` continues below or above an id, so rows that appear or disappear in
between are neither skipped nor repeated. A page of rows with long texts may have fewer rows than requested (2 MiB of text at
most), which \`X-Truncated: items\` says. The next page begins after its last row, so each row is on exactly one page.

**Updates.** A PUT is partial unless its description says otherwise: an omitted field stays, and \`null\` clears. Projects and
tasks carry a \`version\`: send the one that you read. A refusal says that somebody else has changed the resource since.

**Retries.** Send each POST with a new \`Idempotency-Key\`. On 429, and on 503 \`UNAVAILABLE\`, nothing has happened: wait
\`Retry-After\` seconds and send the same request again. On 503 \`OUTCOME_UNKNOWN\`, or if no response arrived, the command may
have been carried out: send the same POST with the same key, and 409 \`IDEMPOTENCY_KEY_REUSED\` says that it was. For a PUT or a
DELETE, read the resource first; a version or If-Match prevents overwriting. Sign-in and session refresh take no key, because
repeating them does no harm.

**Request ids.** A request may carry an \`X-Request-Id\` of up to 64 letters, digits, dots, hyphens and underscores. Every
response has one.`

/** Those of all operations, and those of requests without one. */
function failureTypes(): string[] {
  const general = Object.values(faults).map((fault) => fault().type)
  return [...new Set([...Object.keys(refusalExamples), ...general])].sort()
}

function sorted(record: Json): Json {
  return Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** The groups of operations, as the domains declare them. */
function openTags(domains: readonly Domain[]) {
  const declared = domains.flatMap(({ tags = {} }) => Object.entries(tags))
  const starts = declared
    .flatMap(([name, { paths }]) => paths.map((start) => ({ name, start })))
    .sort((a, b) => b.start.length - a.start.length)

  const used = new Set<string>()
  return {
    /** Those that have an operation. */
    list: () =>
      declared.filter(([name]) => used.has(name)).map(([name, { description }]): Json => ({ name, description })),
    /** The group of a path: the longest prefix wins. @throws if none matches */
    of(path: string): string {
      const fitting = starts.find(({ start }) => path === start || path.startsWith(`${start}/`))
      if (!fitting) throw new Error(`${path} has no group in the document: let its domain declare one in \`tags\``)
      used.add(fitting.name)
      return fitting.name
    },
  }
}
