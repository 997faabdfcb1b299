import type pg from 'pg'
import { quoted } from '../../sql/quoted.ts'

const TENANT_TABLES = `
  select cls.oid, cls.relname from pg_class cls
    join pg_attribute att on att.attrelid = cls.oid and att.attname = 'tenant_id' and not att.attisdropped
   where cls.relnamespace = 'public'::regnamespace and cls.relkind in ('r', 'p')`

/** Whether `p`, a row of pg_policy, is the one that shows and takes only rows of the tenant that was entered. */
export const IS_SOUND = `pg_get_expr(p.polqual, p.polrelid) = '(tenant_id = (NULLIF(current_setting(''app.tenant_id''::text, true), ''''::text))::bigint)'
             and pg_get_expr(p.polqual, p.polrelid) = pg_get_expr(p.polwithcheck, p.polrelid)`

/**
 * Tables of tenants whose policy is not forced, or is not the only one.
 * @param among the names of the tables that are asked; all without it
 */
export async function openTables(client: pg.Client, among: readonly string[] | null = null): Promise<string[]> {
  const { rows } = await client.query(
    `
    with tenant_tables as (${TENANT_TABLES})
    select t.relname as name, c.relrowsecurity and c.relforcerowsecurity as forced,
           count(p.oid) filter (where p.polpermissive) as permissive,
           count(p.oid) filter (where p.polpermissive and p.polcmd = '*'
             and ${IS_SOUND}) as sound
      from tenant_tables t join pg_class c on c.oid = t.oid left join pg_policy p on p.polrelid = t.oid
     where $1::text[] is null or t.relname = any($1)
     group by 1, 2 order by 1`,
    [among],
  )
  return rows.flatMap(({ name, forced, permissive, sound }) => [
    ...(forced ? [] : [`table ${name} does not force row security`]),
    ...(Number(permissive) === 1 && Number(sound) === 1
      ? []
      : [`table ${name} does not have exactly the one policy tenant_isolation`]),
  ])
}

/** Why a role could pass by the policies, if it could. */
export async function strongRole(client: pg.Client, role: string): Promise<string[]> {
  const { rows } = await client.query(
    `
    select r.rolsuper, r.rolbypassrls, r.rolname <> current_user and exists (select from pg_class where relowner = r.oid) as owns
      from pg_roles r where r.rolname = $1`,
    [role],
  )
  const found = rows[0]
  if (!found) return [`the role ${role} does not exist`]
  return [
    ...(found.rolsuper ? [`the role ${role} is a superuser`] : []),
    ...(found.rolbypassrls ? [`the role ${role} bypasses row security`] : []),
    ...(found.owns ? [`the role ${role} owns tables`] : []),
  ]
}

/** Finally an experiment: without a tenant the service must see no row of any table that it may read. */
export async function visibleRows(client: pg.Client, role: string): Promise<string[]> {
  const { rows: tables } = await client.query<{ relname: string }>(
    `${TENANT_TABLES} and has_table_privilege($1, cls.oid, 'select')`,
    [role],
  )
  await client.query(`select set_config('role', $1, true), set_config('app.tenant_id', '', true)`, [role])
  const holes: string[] = []
  for (const { relname } of tables) {
    const { rows } = await client.query(`select exists (select 1 from ${quoted(relname)}) as seen`)
    if (rows[0].seen) holes.push(`rows of ${relname} are visible without a tenant`)
  }
  return holes
}
