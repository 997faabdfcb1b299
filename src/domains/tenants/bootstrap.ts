import {
  cold,
  type Database,
  FIRST_TENANT,
  type Log,
  ROLE,
  sharedScope,
  sql,
  system,
  transact,
  writeReturning,
} from '#atrium'
import { seedArticles } from '#atrium/content'
import { insertOrganization } from '#atrium/organization'
import { hashPassword } from '#atrium/people'
import { createReservedRoles, createUserWithRole } from '#atrium/roles'
import { findTenant, insertTenant } from './tenants.store.ts'

const lockBootstrap = writeReturning((_, p: { lock: string }) =>
  cold.selectNoFrom(sql`pg_advisory_xact_lock(${p.lock}::bigint)`.as('held')),
)

/**
 * Creates tenant 1, its organization and roles, and user 1, the system administrator, at the first start. It never
 * overwrites a row. If two replicas start together, one waits for the other.
 * @returns whether there was anything to do
 */
export async function bootstrap(
  database: Database,
  password: string,
  registration: 'open' | 'closed' = 'open',
): Promise<boolean> {
  const command = { tenantId: FIRST_TENANT, actor: system, requestId: 'bootstrap' }
  if (await findTenant(sharedScope(database), { id: FIRST_TENANT })) return false
  const passwordHash = await hashPassword(password)
  return transact(database, command, async (tx) => {
    await lockBootstrap(tx, { lock: '287487' })
    if (await findTenant(tx, { id: FIRST_TENANT })) return false
    await insertTenant(tx, {
      id: FIRST_TENANT,
      name: 'Default',
      code: 'default',
      plan: 'enterprise',
      expiredAt: null,
      registration,
    })
    insertOrganization(tx, { id: 1, name: 'Default', code: 'DEFAULT' })
    await createReservedRoles(tx, [ROLE.admin, ROLE.user])
    await createUserWithRole(tx, { id: 1, username: 'admin', passwordHash, nickname: 'Administrator' }, ROLE.admin)
    seedArticles(tx)
    return true
  })
}

/** The system administrator is at home in the first tenant: whether strangers register there should be meant. */
export async function warnOfOpenDoor(database: Database, { log }: { log: Log }): Promise<void> {
  const first = await findTenant(sharedScope(database), { id: FIRST_TENANT })
  if (first?.registration === 'open')
    log.warn(
      { tenant: first.code },
      'strangers may register in the first tenant; FIRST_TENANT_REGISTRATION=closed at the first start, or PUT /api/v1/tenants/1, closes it',
    )
}
