import { randomUUID } from 'node:crypto'
import { system } from '../../kernel/actor.ts'
import { codeKeyOf } from '../../util/text/skeleton.ts'
import type { Scope, Tx } from '../tx/scope.ts'
import { transact } from '../tx/transact.ts'
import type { Database } from '../wire/database.ts'
import { fillInEveryTenant } from './every-tenant.ts'
import { type Sweep, startSweep } from './sweep.ts'

const MOST = 500
const HOUR_MS = 3600_000

/** A column of codes of which no two may look alike, and the column with their skeletons. */
export interface CodeColumn {
  /** the rows without a skeleton, oldest first */
  listUnsettled(scope: Scope, p: { most: number }): Promise<{ id: number; code: string }[]>
  listSkeletons(scope: Scope, p: { skeletons: string[]; most: number }): Promise<{ skeleton: string | null }[]>
  /** Changes nothing if the row has got a skeleton or another code meanwhile. */
  saveSkeleton(tx: Tx<any>, p: { id: number; code: string; skeleton: string }): void
}

/**
 * Fills the skeletons of rows without one: rows older than the column, and rows of an older release that runs in parallel.
 * It runs soon after the start, then hourly.
 */
export function startSettling(database: Database, what: string, columns: readonly CodeColumn[]): Sweep {
  return startSweep(database, { what, pause: HOUR_MS, first: 1000 }, async (stopping) => {
    for (const column of columns) await settleSkeletons(database, column, stopping)
  })
}

/** Runs in every tenant, in batches; a failure in one does not stop the others. @returns how many were filled */
export async function settleSkeletons(database: Database, column: CodeColumn, stopping?: AbortSignal): Promise<number> {
  const where = async (scope: Scope) => (await column.listUnsettled(scope, { most: 1 })).length > 0
  const walk = { failed: 'skeletons of codes were not filled in', where, stopping }
  return fillInEveryTenant(database, walk, MOST, ({ tenantId }) =>
    transact(database, { tenantId, actor: system, requestId: 'skeletons' }, (tx) => settleSome(tx, column)),
  )
}

/** Of rows that look alike already, the oldest gets their skeleton, and the others one that no code has. */
async function settleSome(tx: Tx<any>, { listUnsettled, listSkeletons, saveSkeleton }: CodeColumn): Promise<number> {
  const rows = await listUnsettled(tx, { most: MOST })
  const skeletons = rows.map(({ code }) => codeKeyOf(code))
  const taken = new Set((await listSkeletons(tx, { skeletons, most: MOST })).map(({ skeleton }) => skeleton))
  for (const [at, { id, code }] of rows.entries()) {
    const skeleton = taken.has(skeletons[at]!) ? `\u0001${randomUUID()}` : skeletons[at]!
    saveSkeleton(tx, { id, code, skeleton })
    taken.add(skeleton)
  }
  return rows.length
}
