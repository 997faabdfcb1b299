import {
  type CleanupJob,
  type Database,
  enterTenant,
  type FastifyBaseLogger,
  type FastifyReply,
  type FastifyRequest,
  isUnavailable,
  OutcomeUnknown,
  system,
  type TenantId,
  type Tx,
  transact,
} from '#atrium'
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

interface Note {
  tenantId: TenantId
  operation: Operation
}
const MOST_WAITING = 10_000
const AT_ONCE = 1000

/**
 * Rows of requests that wrote nothing themselves: refusals, failed sign-ins. They are collected and written behind
 * the answer, some times a second, so that nobody waits for them. While the database is away or its disk full they wait,
 * ten thousand at most; how many were lost is counted, and told when rows are written again.
 */
export function openLogbook(database: Database, log: FastifyBaseLogger, pause = 100, pauseOfTrouble = 1000) {
  let waiting: Note[] = []
  let timer: NodeJS.Timeout | undefined
  let writing: Promise<boolean> | undefined
  let lost = 0
  let told = 0

  function later(ms: number) {
    timer ??= setTimeout(async () => {
      timer = undefined
      const isWell = await flush()
      if (waiting.length) later(isWell ? pause : pauseOfTrouble)
    }, ms)
  }

  /** Writes what waits. @returns false where that has to wait for better times */
  async function flush(): Promise<boolean> {
    await writing
    writing = writeAll()
    return writing
  }

  async function writeAll(): Promise<boolean> {
    while (waiting.length) {
      const leaving = waiting.splice(0, AT_ONCE)
      try {
        await put(leaving)
      } catch (error) {
        if (!mayPass(error)) lose(leaving.length, error)
        else {
          waiting = [...leaving, ...waiting]
          return false
        }
      }
    }
    if (lost > told) log.warn({ rows: lost - told }, 'refusals are missing in the audit; too many waited')
    told = lost
    return true
  }

  function lose(rows: number, error: unknown) {
    lost += rows
    told += rows
    log.error({ err: String(error), rows }, 'refusals could not be audited')
  }

  async function put(leaving: Note[]) {
    const command = { tenantId: leaving[0]!.tenantId, actor: system, requestId: 'logbook' }
    await transact(database, command, async (tx) => {
      for (const { tenantId, operation } of leaving)
        insertOperation(enterTenant(tx, tenantId, 'write down refusals'), operation)
    })
  }

  return {
    /** Notes a finished request in the tenant it belongs to. */
    note(tenantId: TenantId, req: FastifyRequest, reply: FastifyReply) {
      if (waiting.length >= MOST_WAITING) return void lost++
      waiting.push({ tenantId, operation: operationOf(req, reply.statusCode) })
      later(pause)
    },
    /** rows that are not written yet */
    pending: () => waiting.length,
    /** rows that were lost so far */
    lost: () => lost,
    flush,
    async close() {
      clearTimeout(timer)
      if (!(await flush())) lose(waiting.length, 'the service stops')
      clearTimeout(timer)
    },
  }
}

/** What may or may not have been written is not written again. */
function mayPass(error: unknown): boolean {
  return isUnavailable(error as Error) && !(error instanceof OutcomeUnknown)
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
