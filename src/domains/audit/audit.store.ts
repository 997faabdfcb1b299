import {
  awaitWriters,
  type Builder,
  cold,
  columnsOf,
  type Database,
  except,
  type From,
  find,
  lend,
  list,
  openScope,
  paginate,
  paginateSearch,
  port,
  type Scope,
  sql,
  type TenantId,
  write,
  writeReturning,
} from '#atrium'
import { OperationView } from './audit.schemas.ts'

/** One request in the audit: never a body, a query value or a token. */
export interface Operation {
  requestId: string
  userId: number | null
  username: string | null
  /** of the key that it came with */
  keyPrefix: string | null
  method: string
  path: string
  route: string
  status: number
  duration: number
  ip: string
  userAgent: string
}

/** What shows that the audit is as it was written. Without it operations have no link, and are settled when nobody writes. */
export interface Evidence {
  /** The link of an operation in the chain, in a query over the audit; null until it has one. */
  linkOf(from: From): ReturnType<typeof sql<string | null>>
  /** Up to which operation none can appear any more. */
  settledUpTo(database: Database, tenantId: TenantId): Promise<number>
  /** Up to which operation the trail may be cut; null if all of it may. */
  removableUpTo(scope: Scope): Promise<number | null>
}
export const evidence = port<Evidence>('what shows that the audit is as it was written', {
  linkOf: () => sql`null::text`,
  async settledUpTo(database, tenantId) {
    const scope = openScope(database, tenantId)
    const { newest } = (await findNewest(scope, {}))!
    return (await awaitWriters(scope, 'audit_operations')) ? newest : 0
  },
  removableUpTo: async () => null,
})

export const insertOperation = write(({ insert }, p: Operation) => insert('auditOperations', p))

/** The service may not delete here. The owner's function does it, for the transaction's tenant. */
export const pruneOperations = writeReturning((_, p: { days: number; most: number; upTo: number | null }) =>
  cold.selectNoFrom(sql<number>`prune_audit(${p.days}::integer, ${p.most}::integer, ${p.upTo}::bigint)`.as('removed')),
)

/** Every row of the audit. */
export const everyOperation = lend(['auditOperations'], (from: From) => from('auditOperations'))

/** Up to which row the audit goes, in a query. */
export const newestOperation = lend(
  ['auditOperations'],
  (from: From) =>
    sql<number>`coalesce((${everyOperation(from).select((eb) => eb.fn.max('auditOperations.id').as('id'))}), 0)`,
)

export const findNewest = find((from, _: object) => cold.selectNoFrom(newestOperation(from).as('newest')))

interface Trail {
  userId?: number | undefined
  /** a status of 400 or more */
  refusal?: number | undefined
  from?: string | undefined
  to?: string | undefined
}

/** A service account calls with a key; the command line of the service has no person; strangers are nobody. */
const actorKind = sql<'user' | 'service' | 'system' | null>`case
  when audit_operations.key_prefix is not null then 'service'
  when audit_operations.user_id is not null then 'user'
  when audit_operations.method = 'CLI' then 'system' end`

/** What is shown of an operation. */
export const operations = lend(['auditOperations'], (from: From) =>
  from('auditOperations')
    .select(columnsOf('auditOperations', except(OperationView.keyof().options, ['actorKind', 'chain'])))
    .select(actorKind.as('actorKind')),
)

/** An operation as it is logged, without its link. */
export type LoggedOperation = ReturnType<typeof operations> extends Builder<infer Row> ? Row : never

const chainOf = (from: From) => evidence.get().linkOf(from).as('chain')

/** The trail, with the filters that have an index: person, refusal, time. */
const trail = (from: From, p: Trail) =>
  operations(from)
    .$if(p.userId !== undefined, (query) => query.where('auditOperations.userId', '=', p.userId!))
    // The second condition lets PostgreSQL use the partial index of refusals.
    .$if(p.refusal !== undefined, (query) =>
      query.where('auditOperations.status', '=', p.refusal!).where(sql<boolean>`audit_operations.status >= 400`),
    )
    .$if(p.from !== undefined, (query) =>
      query
        .where('auditOperations.createdAt', '>=', p.from!)
        .where('auditOperations.id', '>=', firstSince(from, p.from!)),
    )
    .$if(p.to !== undefined, (query) =>
      query.where('auditOperations.createdAt', '<', p.to!).where('auditOperations.id', '<=', lastBefore(from, p.to!)),
    )

/**
 * Ids rise with time, except for concurrent writes or when the clock is set back. So a time is also a bound on ids, found
 * among the thousand rows next to it: the trail is read by id, only within the bounds.
 */
const BORDER = sql.lit(1000)

const firstSince = (from: From, time: string) =>
  sql<number>`(select min(id) from unnest(array(${from('auditOperations')
    .select('auditOperations.id')
    .where('auditOperations.createdAt', '>=', time)
    .orderBy('auditOperations.createdAt')
    .limit(BORDER)})) as id)`

const lastBefore = (from: From, time: string) =>
  sql<number>`(select max(id) from unnest(array(${from('auditOperations')
    .select('auditOperations.id')
    .where('auditOperations.createdAt', '<', time)
    .orderBy('auditOperations.createdAt', 'desc')
    .limit(BORDER)})) as id)`

export const listOperations = paginate((from, p: Trail) => trail(from, p).select(chainOf(from)), 'auditOperations.id')

interface Search extends Trail {
  method: string | null
  requestId: string | null
  /** a status below 400 */
  success: number | null
  pattern: string | null
}

/**
 * Filters without an index, which would slow down every command. A null filter is ignored, because one statement for
 * each set of filters would be too many.
 */
export const searchOperations = paginateSearch(
  trail,
  (found, p: Search, from) =>
    found
      .select(chainOf(from))
      .where(sql<boolean>`(${p.method}::text is null or audit_operations.method = ${p.method})`)
      .where(sql<boolean>`(${p.requestId}::text is null or audit_operations.request_id = ${p.requestId})`)
      .where(sql<boolean>`(${p.success}::integer is null or audit_operations.status = ${p.success})`)
      .where(sql<boolean>`(${p.pattern}::text is null or audit_operations.path like ${p.pattern})`),
  'auditOperations',
)

/** Operations of an interval with their links, the oldest first. */
export const listSettled = list((from, p: { after: number; upTo: number; most: number }) =>
  operations(from)
    .select(chainOf(from))
    .where('auditOperations.id', '>', p.after)
    .where('auditOperations.id', '<=', p.upTo)
    .orderBy('auditOperations.id')
    .limit(p.most),
)
