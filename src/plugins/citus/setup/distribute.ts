import type pg from 'pg'
import { assertNoService, DISTRIBUTING, SetupProblem, type TellStep } from '#atrium'
import { assertFit, type Cluster, FIRST_TABLE, findCluster } from './cluster.ts'

/**
 * Moves the tables of a database over the workers of its cluster: the rows of a tenant to one node, and copies of shared
 * tables to every node. Each table is one transaction, so an interrupted run is continued by the next. No service works
 * on the database until it has finished, because foreign keys are missing meanwhile.
 *
 * Row security is not forced on a table while it moves, because it would hide the rows from an owner that is no
 * superuser.
 * @param role of the service; it signs in at the workers, because nodes reach each other as the role that asks
 * @throws SetupProblem if the cluster is not fit, or if a table lost rows on its way; then that table stays as it was
 */
export async function distribute(client: pg.Client, role: string, tell: TellStep = () => {}): Promise<void> {
  const cluster = await findCluster(client)
  assertFit(cluster)
  if (cluster.isDistributed && !(await isUnderWay(client))) return
  await assertNoService(client)
  await begin(client, role)
  const left = inOrder(cluster.tables.filter(({ needs, is }) => needs !== is))
  for (const [index, table] of left.entries()) {
    await inTransaction(client, () => moveTable(client, table))
    tell(table.name, index + 1, left.length)
  }
  const { rows: keys } = await client.query<Key>('select relation, name, definition from keys_to_add order by 1, 2')
  for (const [index, key] of keys.entries()) {
    await inTransaction(client, () => addKey(client, key))
    tell(`the key ${key.name}`, index + 1, keys.length)
  }
  await inTransaction(client, async () => {
    await client.query('drop table keys_to_add')
    await client.query('delete from schema_migrations where name = $1', [DISTRIBUTING])
  })
}

async function isUnderWay(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query(`select to_regclass('public.keys_to_add') is not null as found`)
  return rows[0].found
}

/** A foreign key; its names are quoted where they need it. */
export interface Key {
  relation: string
  name: string
  definition: string
}

/** Writes down the foreign keys and drops them: they can only exist where both tables are distributed. */
async function begin(client: pg.Client, role: string): Promise<void> {
  await inTransaction(client, async () => {
    const { rows } = await client.query('select rolcanlogin as may from pg_roles where rolname = $1', [role])
    if (!rows[0].may) await client.query(`alter role ${client.escapeIdentifier(role)} login`)
    await client.query(SETTINGS)
    await placeFunctions(client)
    if (await isUnderWay(client)) return
    await client.query(`create table keys_to_add as ${KEYS}`)
    await client.query(DROP_KEYS)
    await client.query(`insert into schema_migrations (name, checksum) values ($1, '')`, [DISTRIBUTING])
  })
}

/** They do not reach workers that were not there when they were made. */
const SETTINGS = `do $$ begin
  perform run_command_on_all_nodes(format('alter database %I set timezone to ''UTC''', current_database()));
  -- The tenant of a transaction reaches other nodes as a \`set local\`.
  perform run_command_on_all_nodes(
    format('alter database %I set citus.propagate_set_commands to ''local''', current_database()));
end $$`

/** Functions that only the coordinator has. */
const FUNCTIONS = `do $$ declare it record; begin
  for it in
    select p.oid::regprocedure as name from pg_proc p
     where p.pronamespace = 'public'::regnamespace and p.prokind = 'f' and p.prorettype <> 'trigger'::regtype
       and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')
       and not exists (select from pg_dist_object o where o.classid = 'pg_proc'::regclass and o.objid = p.oid)
  loop perform create_distributed_function(it.name); end loop;
end $$`

/** Puts functions that a migration has made on every node. */
export async function placeFunctions(client: pg.Client): Promise<void> {
  await client.query(FUNCTIONS)
}

/** Joined with the tables, because of these Citus hides the shards that lie on the coordinator. */
const KEYS = `
  select conrelid::regclass::text as relation, quote_ident(conname) as name, pg_get_constraintdef(f.oid) as definition
    from pg_constraint f join pg_class c on c.oid = f.conrelid
   where contype = 'f' and conparentid = 0 and connamespace = 'public'::regnamespace`

export async function foreignKeysOf(client: pg.Client, table: string): Promise<Key[]> {
  const { rows } = await client.query<Key>(`${KEYS} and conrelid = quote_ident($1)::regclass`, [table])
  return rows
}

const DROP_KEYS = `do $$ declare it record; begin
  for it in select relation, name from keys_to_add loop
    execute format('alter table %s drop constraint %s', it.relation, it.name);
  end loop;
end $$`

type Table = Cluster['tables'][number]

/** The table that the others lie beside comes first of its kind; shared ones come before. */
function inOrder(tables: Table[]): Table[] {
  const rank = ({ name, needs }: Table) => (needs === 'reference' ? 0 : name === FIRST_TABLE ? 1 : 2)
  return tables.toSorted((a, b) => rank(a) - rank(b))
}

async function moveTable(client: pg.Client, { name, needs }: Table): Promise<void> {
  const quoted = client.escapeIdentifier(name)
  if (needs === 'distributed') await client.query(`alter table ${quoted} no force row level security`)
  await client.query(`lock table ${quoted} in access exclusive mode`)
  const before = await countRows(client, quoted)
  await place(client, name, needs)
  const after = await countRows(client, quoted)
  if (before !== after)
    throw new SetupProblem(`Of ${before} rows of ${name} ${after} arrived on the workers, so it stays where it was`)
  // The rows in the old place are hidden, and would keep their space.
  await client.query(`select truncate_local_data_after_distributing_table($1)`, [quoted])
  if (needs === 'distributed') await client.query(`alter table ${quoted} force row level security`)
}

/** Puts a table where its rows belong, with those that it has. */
export async function place(client: pg.Client, name: string, needs: Table['needs']): Promise<void> {
  const quoted = client.escapeIdentifier(name)
  if (needs === 'coordinator') await client.query('select undistribute_table($1)', [quoted])
  else if (needs === 'reference') await client.query('select create_reference_table($1)', [quoted])
  else
    await client.query(`select create_distributed_table($1, 'tenant_id', colocate_with => $2)`, [
      quoted,
      name === FIRST_TABLE ? 'none' : FIRST_TABLE,
    ])
}

async function countRows(client: pg.Client, quoted: string): Promise<number> {
  const { rows } = await client.query(`select count(*)::float8 as count from ${quoted}`)
  return rows[0].count
}

async function addKey(client: pg.Client, { relation, name, definition }: Key): Promise<void> {
  await client.query(`alter table ${relation} add constraint ${name} ${definition}`)
  await client.query('delete from keys_to_add where relation = $1 and name = $2', [relation, name])
}

/** One connection for each worker: Citus demands it if a table refers to one that every node has. */
async function inTransaction<T>(client: pg.Client, work: () => Promise<T>): Promise<T> {
  await client.query(`begin; set local citus.multi_shard_modify_mode = 'sequential'`)
  try {
    const result = await work()
    await client.query('commit')
    return result
  } catch (error) {
    await client.query('rollback').catch(() => {})
    throw error
  }
}
