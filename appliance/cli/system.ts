import { hostname, userInfo } from 'node:os'
import { recordCommand } from '#atrium/audit'
import { findTenant, findTenantByCode } from '#atrium/tenants'
import { Refusal } from '../../src/atrium/command-line.ts'
import { sharedScope } from '../../src/data/tx/open-scope.ts'
import type { Tx } from '../../src/data/tx/scope.ts'
import { transact } from '../../src/data/tx/transact.ts'
import type { Database } from '../../src/data/wire/database.ts'
import { type System, system } from '../../src/kernel/actor.ts'

/**
 * Runs an action as the system in a tenant; its audit row commits with it and records who typed the command, and where.
 */
export async function actAs<T>(
  database: Database,
  tenantId: number,
  command: string,
  action: (tx: Tx<System>) => Promise<T>,
): Promise<T> {
  return transact(
    database,
    {
      tenantId,
      actor: system,
      requestId: crypto.randomUUID(),
      beforeCommit: (tx) => recordCommand(tx, `atrium ${command}`, `${userOf()}@${hostname()}`),
    },
    action,
  )
}

/** An account may have no name, as in some containers, but always has a number. */
function userOf(): string {
  try {
    return userInfo().username
  } catch {
    return String(process.getuid?.() ?? 'unknown')
  }
}

/** @throws Refusal if there is none, or if the service has never started on this database */
export async function tenantOf(database: Database, code: string) {
  const found = await findTenantByCode(sharedScope(database), { code })
  if (found) return found
  await assertBegun(database)
  throw new Refusal(`There is no tenant ${code}; see: atrium tenant list`)
}

/** The first tenant is what everything else belongs to. @throws Refusal if it is missing */
export async function assertBegun(database: Database): Promise<void> {
  if (await findTenant(sharedScope(database), { id: 1 })) return
  throw new Refusal(
    'There is no tenant yet: the first start of the service makes the first one, or: atrium admin create',
  )
}
