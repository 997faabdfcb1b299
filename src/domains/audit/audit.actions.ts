import {
  type CleanupJob,
  type Database,
  enterTenant,
  type FastifyBaseLogger,
  type FastifyReply,
  type FastifyRequest,
  isUnavailable,
  maskKeys,
  OutcomeUnknown,
  openRoom,
  system,
  type TenantId,
  type Tx,
  transact,
} from '#atrium'
import { evidence, insertOperation, type Operation, pruneOperations } from './audit.store.ts'

/** Writes the request's row in the command's transaction, so that every acknowledged write has one. */
export function recordOperation(tx: Tx<any>, req: FastifyRequest, status: number): void {
  insertOperation(tx, operationOf(req, status))
}

/** Writes the row of an operator's command from the command line. */
export function recordCommand(tx: Tx<any>, name: string, by: string): void {
  insertOperation(tx, {
    requestId: tx.requestId,
    userId: null,
    username: 'system',
    keyPrefix: null,
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
const PAUSE_MS = 100
const PAUSE_OF_TROUBLE_MS = 1000

/**
 * Collects rows of requests that wrote nothing, such as refusals and failed sign-ins. It writes them after the answer,
 * several times a second, so that nobody waits. While the database is unavailable or its disk is full, at most ten
 * thousand wait, half of them of one tenant; lost rows are counted, and reported when writes succeed again.
 */
export function openLogbook(database: Database, log: FastifyBaseLogger) {
  const room = openRoom(MOST_WAITING)
  let waiting: Note[] = []
  let timer: NodeJS.Timeout | undefined
  let writing: Promise<boolean> | undefined
  let lost = 0
  let told = 0

  function later(ms: number) {
    timer ??= setTimeout(async () => {
      timer = undefined
      const isWell = await flush()
      if (waiting.length) later(isWell ? PAUSE_MS : PAUSE_OF_TROUBLE_MS)
    }, ms)
  }

  /** Writes the waiting rows. @returns false if they must wait */
  async function flush(): Promise<boolean> {
    await writing
    writing = writeAll()
    return writing
  }

  async function writeAll(): Promise<boolean> {
    while (waiting.length) {
      const server = database.serverOf(waiting[0]!.tenantId)
      // Of one server, where their ids rise in the order of the chain.
      const leaving = waiting.filter(({ tenantId }) => database.serverOf(tenantId) === server).slice(0, AT_ONCE)
      const taken = new Set(leaving)
      waiting = waiting.filter((note) => !taken.has(note))
      try {
        await put(leaving)
      } catch (error) {
        if (mayPass(error)) {
          waiting = [...leaving, ...waiting]
          return false
        }
        lose(leaving.length, error)
      }
      for (const { tenantId } of leaving) room.giveBack(tenantId)
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
    /** Adds a finished request to its tenant's trail. */
    note(tenantId: TenantId, req: FastifyRequest, reply: FastifyReply) {
      if (!room.take(tenantId)) return void lost++
      waiting.push({ tenantId, operation: operationOf(req, reply.statusCode) })
      later(PAUSE_MS)
    },
    /** rows not yet written */
    pending: () => waiting.length,
    /** rows lost so far */
    lost: () => lost,
    async close() {
      clearTimeout(timer)
      if (!(await flush())) lose(waiting.length, 'the service stops')
      clearTimeout(timer)
    },
  }
}

/** A write with an unknown outcome is not repeated. */
function mayPass(error: unknown): boolean {
  return isUnavailable(error as Error) && !(error instanceof OutcomeUnknown)
}

/** Deletes rows older than this many days; with 0 they stay forever. */
export function retention(days: number): CleanupJob[] {
  if (days === 0) return []
  return [
    {
      what: 'old audit rows',
      async remove(tx, most) {
        const upTo = await evidence.get().removableUpTo(tx)
        return (await pruneOperations(tx, { days, most, upTo })).rows[0]?.removed ?? 0
      },
    },
  ]
}

function operationOf(req: FastifyRequest, status: number): Operation {
  const caller = req.actor.kind === 'user' ? req.actor : undefined
  const who = req.auditSubject ?? { userId: caller?.id ?? null, username: caller?.username ?? null }
  const path = req.route.config.secretInPath ? req.route.url! : req.url.split('?', 1)[0]!
  return {
    requestId: req.id,
    userId: who.userId,
    username: who.username,
    keyPrefix: (who.userId === caller?.id && caller?.key?.prefix) || null,
    method: req.method,
    path: maskKeys(path).slice(0, 512),
    route: req.route.url ?? '',
    status,
    duration: Math.round(performance.now() - req.startedAt),
    // A client that has disconnected has no address.
    ip: req.ip ?? '',
    userAgent: maskKeys(req.headers['user-agent'] ?? '').slice(0, 256),
  }
}
