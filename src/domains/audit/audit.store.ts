import { sql } from 'kysely'
import { cold } from '../../data/compile.ts'
import { windows } from '../../data/paged.ts'
import { decide, write } from '../../data/statement.ts'

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
export const pruneOperations = decide((_, p: { days: number; most: number }) =>
  cold.selectNoFrom(sql<number>`prune_audit(${p.days}::integer, ${p.most}::integer)`.as('removed')),
)

interface OperationFilter {
  userId?: number | undefined
  method?: string | undefined
  pattern?: string | undefined
  status?: number | undefined
  from?: string | undefined
  to?: string | undefined
}

export const listOperations = windows(
  (from, p: OperationFilter) =>
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
      .$if(p.method !== undefined, (query) => query.where('auditOperations.method', '=', p.method!))
      .$if(p.pattern !== undefined, (query) => query.where('auditOperations.path', 'like', p.pattern!))
      .$if(p.status !== undefined, (query) => query.where('auditOperations.status', '=', p.status!))
      .$if(p.from !== undefined, (query) => query.where('auditOperations.createdAt', '>=', p.from!))
      .$if(p.to !== undefined, (query) => query.where('auditOperations.createdAt', '<', p.to!)),
  'auditOperations.id',
)
