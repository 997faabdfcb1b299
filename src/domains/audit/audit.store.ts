import { cold, type From, paginate, paginateSearch, sql, write, writeReturning } from '#atrium'

/** One request as the audit keeps it: never a body, a query value or a token. */
export interface Operation {
  requestId: string
  userId: number | null
  username: string | null
  method: string
  path: string
  route: string
  status: number
  duration: number
  ip: string
  userAgent: string
}

export const insertOperation = write(({ insert }, p: Operation) => insert('auditOperations', p))

/** The service may not delete here; the owner's function does it, for the tenant that the transaction has entered. */
export const pruneOperations = writeReturning((_, p: { days: number; most: number }) =>
  cold.selectNoFrom(sql<number>`prune_audit(${p.days}::integer, ${p.most}::integer)`.as('removed')),
)

interface Trail {
  userId?: number | undefined
  /** a status of 400 or more */
  refusal?: number | undefined
  from?: string | undefined
  to?: string | undefined
}

/** The part of the trail that an index leads to: by person, by refusal, by time. */
const trail = (from: From, p: Trail) =>
  from('auditOperations')
    .select([
      'auditOperations.id',
      'auditOperations.requestId',
      'auditOperations.tenantId',
      'auditOperations.userId',
      'auditOperations.username',
      'auditOperations.method',
      'auditOperations.path',
      'auditOperations.route',
      'auditOperations.status',
      'auditOperations.duration',
      'auditOperations.ip',
      'auditOperations.userAgent',
      'auditOperations.createdAt',
    ])
    .$if(p.userId !== undefined, (query) => query.where('auditOperations.userId', '=', p.userId!))
    // Said twice: the index of refusals is used only where it is certain that all of them are in it.
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
 * Ids rise with time, but for what is written at the same moment, or while the clock is set back. So a time is also a
 * border of ids, looked for among the thousand rows next to it: the trail is read by id, and only where it can matter.
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

export const listOperations = paginate(trail, 'auditOperations.id')

interface Search extends Trail {
  method: string | null
  /** a status below 400 */
  success: number | null
  pattern: string | null
}

/**
 * By what no index serves, as every command would have to pay for it. What is null is not asked for: a statement for
 * each set of filters would make too many of them.
 */
export const searchOperations = paginateSearch(
  trail,
  (found, p: Search) =>
    found
      .where(sql<boolean>`(${p.method}::text is null or audit_operations.method = ${p.method})`)
      .where(sql<boolean>`(${p.success}::integer is null or audit_operations.status = ${p.success})`)
      .where(sql<boolean>`(${p.pattern}::text is null or audit_operations.path like ${p.pattern})`),
  'auditOperations',
)
