import type pg from 'pg'
import { withClient } from '../connections/with-client.ts'
import { SetupProblem } from './setup-problem.ts'

/**
 * Writes 4 MB into a table that is dropped with its transaction. Rejects with the driver's error if the database is
 * read-only, or its disk is full.
 */
export async function probeWrites(url: string): Promise<void> {
  await withClient(url, 'atrium-probe', async (client) => {
    await client.query('begin')
    await client.query('create temporary table atrium_probe (filler text) on commit drop')
    await client.query(`insert into atrium_probe select repeat('x', 1000) from generate_series(1, 4000)`)
    await client.query('rollback')
  })
}

/** The tenant that the first start makes: where the system administrator signs in. */
export interface FirstTenant {
  code: string
  status: 'active' | 'disabled'
  /** ISO 8601, if it has expired */
  expiredAt: string | null
  registration: 'open' | 'closed'
}

/** @param role that may read the tenants. @returns undefined before the first start */
export async function findFirstTenant(url: string, role: string): Promise<FirstTenant | undefined> {
  return withClient(url, 'atrium-probe', async (client) => {
    await client.query('begin read only')
    await client.query(`select set_config('role', $1, true)`, [role])
    const { rows } = await client.query<FirstTenant>(
      `select code, status, registration, case when expired_at <= now() then to_json(expired_at) #>> '{}' end as "expiredAt"
         from tenants where id = 1`,
    )
    return rows[0]
  })
}

/** How many secrets of a column were sealed with a key. */
export interface SealedWith {
  /** such as `second_factors.secret` */
  column: string
  /** as the sealer calls it */
  key: string
  count: number
}

/** What has sealed the stored secrets of all tenants, found one tenant after the other. @param role that may read them */
export async function countSealed(url: string, role: string): Promise<SealedWith[]> {
  return withClient(url, 'atrium-probe', async (client) => {
    await client.query('begin read only')
    await client.query(`select set_config('role', $1, true)`, [role])
    await client.query(COUNT_SEALED)
    const { rows } = await client.query<{ counts: Record<string, number> }>(
      `select current_setting('atrium.sealed')::jsonb as counts`,
    )
    return Object.entries(rows[0]!.counts).map(([name, count]) => {
      const [column = '', key = ''] = name.split(' ')
      return { column, key, count }
    })
  })
}

const COUNT_SEALED = `do $$
declare
  counts jsonb := '{}';
  tenant bigint;
  place text[];
  found record;
begin
  for tenant in select id from tenants loop
    -- The form in which Citus takes it along to the node that holds the rows.
    execute format('set local app.tenant_id = %L', tenant);
    for place in select array[f.name, s.name] from table_facts f cross join lateral jsonb_object_keys(f.facts -> 'sealed') s(name)
        where to_regclass(quote_ident(f.name)) is not null order by 1 loop
      for found in execute format(
          'select split_part(%2$I, ''.'', 2) as key, count(*) from %1$I where tenant_id = $1 and %2$I is not null group by 1',
          place[1], place[2]) using tenant loop
        counts := counts || jsonb_build_object(array_to_string(place, '.') || ' ' || found.key,
          coalesce((counts ->> (array_to_string(place, '.') || ' ' || found.key))::bigint, 0) + found.count);
      end loop;
    end loop;
  end loop;
  perform set_config('atrium.sealed', counts::text, true);
end $$`

/** @throws SetupProblem if a service works on the database */
export async function assertNoService(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query(
    `select count(*)::int as count from pg_stat_activity where datname = current_database() and application_name = 'atrium'`,
  )
  if (rows[0].count > 0) throw new SetupProblem('The service runs on this database. Stop every replica first')
}
