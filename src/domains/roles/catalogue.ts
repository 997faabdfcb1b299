import type pg from 'pg'
import { allPermissions, grantsOf, type Permission, ROLE } from '#atrium'
import { SEED_MENUS, writeMenus } from '#atrium/menus'

/**
 * Writes what all tenants share: new permissions and, in a new database, the menus. Runs as the owner, in the
 * migration's transaction, at every start. It never overwrites a row.
 */
export async function writeCatalogue(client: pg.Client): Promise<void> {
  const { rows: known } = await client.query<{ code: string }>('select code from permissions')
  const gained = allPermissions().filter((code) => !known.some((permission) => permission.code === code))
  if (gained.length) {
    const rows = gained.map((_, at) => `($${2 * at + 1}, $${2 * at + 2})`).join(', ')
    const values = gained.flatMap((code) => [code, titleOf(code)])
    await client.query(`insert into permissions (code, name) values ${rows}`, values)
    await inEachTenant(client, (tenantId) => grantGained(client, tenantId, gained))
  }
  const { rows } = await client.query('select is_called as "hadMenus" from menus_id_seq')
  if (rows[0].hadMenus) return
  await writeMenus(client, SEED_MENUS, null)
  await inEachTenant(client, (tenantId) => showMenus(client, tenantId))
}

function titleOf(permission: Permission): string {
  const [domain, action] = permission.split(':')
  return `${action![0]!.toUpperCase()}${action!.slice(1)} ${domain}`
}

/** Row security applies to the owner too, so it enters each tenant. A new database has none yet. */
async function inEachTenant(client: pg.Client, run: (tenantId: number) => Promise<unknown>): Promise<void> {
  const { rows: tenants } = await client.query('select id from tenants')
  for (const { id } of tenants) {
    // SET LOCAL, and not set_config(): Citus passes it on to the workers.
    await client.query(`set local app.tenant_id = ${client.escapeLiteral(String(id))}`)
    await run(id)
  }
  await client.query(`set local app.tenant_id = ''`)
}

/**
 * Gives the reserved roles of existing tenants a new permission, as in new tenants. Administrators always get every
 * permission. `user` gets a permission only once; later the tenant decides.
 */
async function grantGained(client: pg.Client, tenantId: number, gained: readonly string[]) {
  for (const code of Object.values(ROLE)) {
    const granted = grantsOf(code).filter((permission) => code !== ROLE.user || gained.includes(permission))
    await client.query(
      `insert into role_permissions (tenant_id, role_id, permission_id)
       select r.tenant_id, r.id, p.id from roles r cross join permissions p
        where r.tenant_id = $1 and r.code = $2 and p.code = any ($3) on conflict do nothing`,
      [tenantId, code, granted],
    )
  }
  // Processes of the version before may still run.
  await client.query(`insert into invalidations (kind, subject) values ('roles', $1) on conflict do nothing`, [
    tenantId,
  ])
}

/** Shows the menus to the roles of older tenants, as in a new tenant. */
async function showMenus(client: pg.Client, tenantId: number) {
  await client.query(
    `insert into role_menus (tenant_id, role_id, menu_id)
     select r.tenant_id, r.id, m.id from roles r cross join menus m
      where r.tenant_id = $1 and (r.code = any ($2) or r.code = $3 and (m.permission is null or m.permission in (
        select p.code from role_permissions rp join permissions p on p.id = rp.permission_id
         where rp.tenant_id = r.tenant_id and rp.role_id = r.id)))`,
    [tenantId, [ROLE.admin, ROLE.tenantAdmin], ROLE.user],
  )
}
