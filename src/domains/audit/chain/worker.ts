import { type Database, inEveryTenant, type Scope, type Sweep, startSweep } from '#atrium'
import { findReach } from '../chain.store.ts'
import { extendChain } from './extend.ts'

/** After each batch, requests have the database to themselves for this many times its duration. */
const REST = 20

/** Extends the chain of every tenant, every few seconds. */
export function startChainWorker(database: Database, pause = 5000): Sweep {
  return startSweep(database, { what: 'the chains of the audit', pause, first: pause }, (stopping) =>
    inEveryTenant(
      database,
      { failed: 'the chain of the audit could not be extended', where: hasGrown, rest: REST, stopping },
      ({ tenantId }) => extendChain(database, tenantId),
    ),
  )
}

async function hasGrown(scope: Scope): Promise<boolean> {
  const { newest, linked } = (await findReach(scope, {}))!
  return newest > linked
}
