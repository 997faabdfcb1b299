import { awaitWriters, type Database, openScope, type Scope, system, type TenantId, transact } from '#atrium'
import { linkOf } from './audit-chain.rules.ts'
import { beginChain, findReach, insertLinks, listRows, lockChain, moveEnd } from './audit-chain.store.ts'

/** Rows of one transaction. */
const BATCH = 500

/**
 * Links the next committed rows of a tenant, in the order of their ids. Ids are drawn in another order than commands
 * commit, so first the last committed row is found, and then the end of each command awaited that was writing at that
 * moment: now no row can appear below it. Several processes may do this at the same time.
 * @returns true if there is more to link
 */
export async function extendChain(database: Database, tenantId: TenantId): Promise<boolean> {
  const scope = openScope(database, tenantId)
  const { newest, linked } = (await findReach(scope, {}))!
  if (newest <= linked || !(await awaitWriters(scope, 'audit_operations'))) return false
  return (await linkBatch(database, tenantId, newest)) === BATCH
}

/** Batches that the first reader of older rows links before it gets what is linked. */
const MOST_BATCHES = 4

/** @returns up to which row a tenant's audit is linked, after what can be linked quickly */
export async function linkedUpTo(database: Database, tenantId: TenantId): Promise<number> {
  for (let batch = 0; batch < MOST_BATCHES && (await extendChain(database, tenantId)); batch++);
  return (await findReach(openScope(database, tenantId), {}))!.linked
}

/** Rows without a link stay: the stream shows rows only when they have one. */
export async function removableUpTo(scope: Scope): Promise<number> {
  return (await findReach(scope, {}))!.linked
}

/** @returns how many rows were linked */
async function linkBatch(database: Database, tenantId: TenantId, upTo: number): Promise<number> {
  return transact(database, { tenantId, actor: system, requestId: 'chain of the audit' }, async (tx) => {
    const end = (await lockChain(tx, {})) ?? (await beginChain(tx, {})).rows[0]!
    const rows = await listRows(tx, { after: end.id, upTo, most: BATCH })
    if (rows.length === 0) return 0
    const ids: number[] = []
    const chains: string[] = []
    for (const row of rows) {
      ids.push(row.id)
      chains.push(linkOf(chains.at(-1) ?? end.chain, row))
    }
    insertLinks(tx, { ids, chains })
    moveEnd(tx, { lastId: ids.at(-1)!, lastChain: chains.at(-1)! })
    return rows.length
  })
}
