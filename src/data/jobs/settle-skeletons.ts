import { randomUUID } from 'node:crypto'
import { system } from '../../kernel/actor.ts'
import { codeKeyOf } from '../../util/text/skeleton.ts'
import type { Scope, Tx } from '../tx/scope.ts'
import { transact } from '../tx/transact.ts'
import type { Job } from './job.ts'

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
 * It runs soon after the start, then hourly. @param name of the job: codes of projects
 */
export function settleSkeletons(name: string, columns: readonly CodeColumn[]): Job {
  const unsettledIn = async (scope: Scope) => {
    const found = await Promise.all(columns.map((column) => column.listUnsettled(scope, { most: 1 })))
    return columns.filter((_, at) => found[at]!.length > 0)
  }
  return {
    name,
    every: HOUR_MS,
    first: 1000,
    inTenants: {
      failed: 'skeletons of codes were not filled in',
      where: async (scope) => (await unsettledIn(scope)).length > 0,
    },
    async work(scope, { database }) {
      const [column] = await unsettledIn(scope)
      if (!column) return false
      const command = { tenantId: scope.tenantId, actor: system, requestId: 'skeletons' }
      await transact(database, command, (tx) => settleSome(tx, column))
      return true
    },
  }
}

/** Of rows that look alike already, the oldest gets their skeleton, and the others one that no code has. */
async function settleSome(tx: Tx<any>, { listUnsettled, listSkeletons, saveSkeleton }: CodeColumn): Promise<void> {
  const rows = await listUnsettled(tx, { most: MOST })
  const skeletons = rows.map(({ code }) => codeKeyOf(code))
  const taken = new Set((await listSkeletons(tx, { skeletons, most: MOST })).map(({ skeleton }) => skeleton))
  for (const [at, { id, code }] of rows.entries()) {
    const skeleton = taken.has(skeletons[at]!) ? `\u0001${randomUUID()}` : skeletons[at]!
    saveSkeleton(tx, { id, code, skeleton })
    taken.add(skeleton)
  }
}
