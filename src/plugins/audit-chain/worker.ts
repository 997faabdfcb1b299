import type { Job, Scope } from '#atrium'
import { findReach } from './audit-chain.store.ts'
import { extendChain } from './extend.ts'
import { reportChains } from './waiting.ts'

/** After each batch, requests have the database to themselves for this many times its duration. */
const REST = 20

/** Extends the chain of every tenant, every few seconds. */
export const chains: Job = {
  name: 'the chains of the audit',
  every: 5000,
  first: 5000,
  open({ metrics, database }) {
    if (metrics) reportChains(metrics, database)
    return {
      inTenants: { failed: 'the chain of the audit could not be extended', where: hasGrown, rest: REST },
      work: ({ tenantId }) => extendChain(database, tenantId),
    }
  },
}

async function hasGrown(scope: Scope): Promise<boolean> {
  const { newest, linked } = (await findReach(scope, {}))!
  return newest > linked
}
