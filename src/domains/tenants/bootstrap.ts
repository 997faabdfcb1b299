import { sql } from 'kysely'
import type pg from 'pg'
import { cold } from '../../data/compile.ts'
import type { Database } from '../../data/database.ts'
import { decide } from '../../data/statement.ts'
import { nowhere, transact } from '../../data/transaction.ts'
import { PERMISSIONS, ROLE } from '../../kernel/access.ts'
import { system } from '../../kernel/actor.ts'
import { hashPassword } from '../auth/passwords.ts'
import { insertOrganization } from '../organization/organization.store.ts'
import { createReservedRoles, createUser } from '../people/people.actions.ts'
import { FIRST_TENANT } from './tenants.actions.ts'
import { findTenant, insertTenant } from './tenants.store.ts'

/** Writes permissions that the catalogue has gained; runs as the owner, in the migration's transaction. */
export async function writeCatalogue(client: pg.Client): Promise<void> {
  const names = PERMISSIONS.map((code) => {
    const [domain, action] = code.split(':')
    return `${action![0]!.toUpperCase()}${action!.slice(1)} ${domain}`
  })
  await client.query(
    `insert into permissions (code, name) select * from unnest($1::text[], $2::text[]) as given (code, name)
     where not exists (select from permissions p where p.code = given.code)`,
    [PERMISSIONS, names],
  )
}

const holdBootstrap = decide((_, p: { lock: string }) =>
  cold.selectNoFrom(sql`pg_advisory_xact_lock(${p.lock}::bigint)`.as('held')),
)

/**
 * Makes tenant 1, its organization and roles, and user 1, the system administrator: at the first start, once, and never
 * over what exists. Of two replicas that start together, one waits for the other and finds it done.
 * @returns whether there was anything to do
 */
export async function bootstrap(database: Database, password: string): Promise<boolean> {
  const command = { tenantId: FIRST_TENANT, actor: system, requestId: 'bootstrap' }
  if (await findTenant(nowhere(database), { id: FIRST_TENANT })) return false
  const passwordHash = await hashPassword(password)
  return transact(database, command, async (tx) => {
    await holdBootstrap(tx, { lock: '287487' })
    if (await findTenant(tx, { id: FIRST_TENANT })) return false
    await insertTenant(tx, { id: FIRST_TENANT, name: 'Default', code: 'default', plan: 'enterprise', expiredAt: null })
    insertOrganization(tx, { id: 1, name: 'Default', code: 'DEFAULT' })
    await createReservedRoles(tx, [ROLE.admin, ROLE.user])
    await createUser(tx, { id: 1, username: 'admin', passwordHash, nickname: 'Administrator' }, ROLE.admin)
    return true
  })
}
