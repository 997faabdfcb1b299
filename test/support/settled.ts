import { openScope } from '../../src/data/tx/open-scope.ts'
import type { Database } from '../../src/data/wire/database.ts'
import { evidence, findNewest } from '../../src/domains/audit/audit.store.ts'

/** Settles the audit of a tenant: each row of it has its link, where the plug-in is here that adds them. */
export async function settleAudit(database: Database, tenantId: number): Promise<void> {
  const { newest } = (await findNewest(openScope(database, tenantId), {}))!
  while ((await evidence.get().settledUpTo(database, tenantId)) < newest);
}
