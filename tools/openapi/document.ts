import { VERSION } from '../../src/config/build.ts'
import { DOMAINS } from '../../src/domains/index.ts'
import { loadDomains } from '../../src/domains/load.ts'
import { FailureView } from '../../src/http/request/envelope.ts'
import { faults } from '../../src/kernel/fault.ts'
import { HEADERS } from './headers.ts'
import { headerParameters, NOT_MODIFIED, operationOf } from './operation.ts'
import { refusalExamples } from './refusal-response.ts'
import { sharedRefusals } from './refusals.ts'
import { collectRoutes, offlineConfig } from './routes.ts'
import { type Json, openSchemas } from './schemas.ts'
import { openTags } from './tags.ts'

/** The OpenAPI document of the service, from its routes and their shapes. The same text for the same source. */
/** @param config names the domains from outside */
export async function buildDocument(config = offlineConfig()): Promise<Json> {
  const routes = await collectRoutes(config)
  const schemas = openSchemas(routes)
  const tags = openTags(await loadDomains(config.domains))
  schemas.of(FailureView, 'output')
  const paths: Record<string, Json> = {}
  const tagged = routes.map((route) => ({ route, tag: tags.of(route.url.replace('/api/v1', '')) }))
  // What domains from outside bring comes last, so that it changes nothing of what is there.
  const isOwn = new Set(DOMAINS.flatMap(({ tags = {} }) => Object.keys(tags)))
  const [own = [], fromOutside = []] = [true, false].map((wanted) =>
    tagged.filter(({ tag }) => isOwn.has(tag) === wanted),
  )
  for (const { route, tag } of [...own, ...fromOutside]) {
    const path = route.url.replace(/:(\w+)/g, '{$1}')
    paths[path] ??= {}
    paths[path][route.method.toLowerCase()] = operationOf(route, tag, schemas)
  }
  const responses = sorted({ ...sharedRefusals(), NotModified: NOT_MODIFIED })
  schemas.components.FailureType!.enum = failureTypes()
  return {
    openapi: '3.1.0',
    info: {
      title: 'Atrium',
      version: VERSION,
      description: INTRODUCTION,
      contact: { name: 'Whoever operates this service' },
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/', description: 'Where this document comes from' }],
    tags: tags.list,
    paths,
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

**Answers.** Every answer has its true HTTP status. A success is \`{"code":0,"message":"success","data":…}\`; a refusal is the
schema \`Failure\`: decide on \`error.type\`, show \`message\`, look into \`error.details\`. Ids are whole numbers, instants are
ISO 8601 in UTC with milliseconds, days are \`yyyy-MM-dd\`. What may be missing is there, as \`null\`.

**Signing in.** \`login\` gives an access token, sent as \`Authorization: Bearer …\`, and a refresh token for
\`refreshSession\`, which works once. Each operation says in its description and in \`x-access\` what it demands.

**Tenants.** A token belongs to one tenant, and everything it reads and writes does. What belongs to another tenant answers
like what does not exist. Public operations name the tenant in the header \`X-Tenant-Code\`, and so does a sign-in or
a registration without \`tenantCode\`; where nothing names it, it is \`default\`. With a token the header has no effect,
but for the system administrator, who works in the tenant named.

**Languages.** \`Accept-Language\` is the reader's: \`en\`, or \`zh-CN\` for any Chinese. Refusals are told in it, whose
\`error.type\` is the same in each, and so are notifications, and what is there from the start and nobody has rewritten.

**Lists.** Pages are asked for by \`page\` and \`pageSize\`. Array lists say with \`Link: <…>; rel="next"\` that more rows
follow, and with \`X-Total-Count\` how many there are where pages were asked for, counted up to 1000, in lists with \`items\` up to
10 000: beyond that \`X-Truncated: total\` says that there are more. A search looks at the first 100 000 rows, and its
\`Link\` goes on behind them. Where no \`page\` was sent, \`Link\`
leads on below or above an id, so that what comes and goes meanwhile makes a walk neither skip nor repeat. Rows with long
texts may be fewer than were asked for (2 MiB of these at once): then too \`Link\` says where the list goes on.

**Changing.** A PUT is partial unless it says otherwise: a field left out stays, \`null\` clears. Projects and tasks carry a
\`version\`: send the one you have read; a refusal says that somebody was faster.

**Trying again.** Send each POST with an \`Idempotency-Key\` of its own. On 429, and on 503 \`UNAVAILABLE\`, nothing has
happened: wait for \`Retry-After\` seconds and send the same again. On 503 \`OUTCOME_UNKNOWN\`, and where no answer came, it
may have happened: send the same POST again with the same key, and 409 \`IDEMPOTENCY_KEY_REUSED\` says that it was done. Of a
PUT or a DELETE read the resource first; a version or If-Match keeps a second one from overwriting. Signing in and
continuing a session take no key: done twice they do no harm.

**Requests** may carry an \`X-Request-Id\` of up to 64 letters, digits, dots, hyphens and underscores. Each answer has one.`

/** Those of all operations, and those of requests that come to none. */
function failureTypes(): string[] {
  const general = Object.values(faults).map((fault) => fault().type)
  return [...new Set([...Object.keys(refusalExamples), ...general])].sort()
}

function sorted(record: Json): Json {
  return Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)))
}
