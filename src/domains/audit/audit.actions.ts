import type { FastifyBaseLogger, FastifyReply, FastifyRequest } from 'fastify'
import type { CleanupJob } from '../../data/jobs/cleanup.ts'
import type { Tx } from '../../data/tx/scope.ts'
import { enterTenant, transact } from '../../data/tx/transact.ts'
import type { Database } from '../../data/wire/database.ts'
import { system, type TenantId } from '../../kernel/actor.ts'
import { insertOperation, type Operation, pruneOperations } from './audit.store.ts'

/** Writes the request's row into the command's own transaction: an acknowledged write is never without it. */
export function recordOperation(tx: Tx<any>, req: FastifyRequest, status: number): void {
  insertOperation(tx, operationOf(req, status))
}

/** Writes the row of a command that no request brought: the operator's, from the command line. */
export function recordCommand(tx: Tx<any>, name: string, by: string): void {
  insertOperation(tx, {
    requestId: tx.requestId,
    userId: null,
    username: 'system',
    method: 'CLI',
    path: name,
    route: name,
    status: 200,
    duration: 0,
    ip: '',
    userAgent: by.slice(0, 256),
  })
}

/**
 * Rows of requests that wrote nothing themselves: refusals, failed sign-ins. They are collected and written behind
 * the answer, some times a second, so that nobody waits for them.
 */
export function openLogbook(database: Database, log: FastifyBaseLogger, pause = 100) {
  let waiting: { tenantId: TenantId; operation: Operation }[] = []
  let timer: NodeJS.Timeout | undefined
  const MOST_WAITING = 10_000

  async function flush() {
    timer = undefined
    const leaving = waiting
    waiting = []
    if (leaving.length === 0) return
    const command = { tenantId: leaving[0]!.tenantId, actor: system, requestId: 'logbook' }
    await transact(database, command, async (tx) => {
      for (const { tenantId, operation } of leaving)
        insertOperation(enterTenant(tx, tenantId, 'write down refusals'), operation)
    }).catch((error) => log.warn({ err: String(error), rows: leaving.length }, 'refusals could not be audited'))
  }

  return {
    /** Notes a finished request in the tenant it belongs to. */
    note(tenantId: TenantId, req: FastifyRequest, reply: FastifyReply) {
      if (waiting.length >= MOST_WAITING) return
      waiting.push({ tenantId, operation: operationOf(req, reply.statusCode) })
      timer ??= setTimeout(flush, pause)
    },
    /** rows that are not written yet */
    pending: () => waiting.length,
    flush,
    async close() {
      clearTimeout(timer)
      await flush()
    },
  }
}

/** Rows older than so many days go; with 0 they stay for ever. */
export function retention(days: number): CleanupJob[] {
  if (days === 0) return []
  return [
    {
      what: 'old audit rows',
      remove: async (tx, most) => (await pruneOperations(tx, { days, most })).rows[0]!.removed,
    },
  ]
}

function operationOf(req: FastifyRequest, status: number): Operation {
  const { actor, auditSubject } = req
  const path = req.url.split('?', 1)[0]!
  return {
    requestId: req.id,
    userId: actor.kind === 'user' ? actor.id : (auditSubject?.userId ?? null),
    username: actor.kind === 'user' ? actor.username : (auditSubject?.username ?? null),
    method: req.method,
    path: path.slice(0, 512),
    route: req.route.url ?? '',
    status,
    duration: Math.round(performance.now() - req.startedAt),
    // A client that has left at once has no address any more.
    ip: req.ip ?? '',
    userAgent: (req.headers['user-agent'] ?? '').slice(0, 256),
  }
}
