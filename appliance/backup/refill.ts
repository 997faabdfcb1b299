import { once } from 'node:events'
import { finished } from 'node:stream/promises'
import type pg from 'pg'
import { type CopyStreamQuery, from as copyFrom } from 'pg-copy-streams'
import { withClient } from '../../src/data/connections/with-client.ts'
import { beginMigrations, RESTORING } from '../../src/data/setup/migrate.ts'
import { assertNoService } from '../../src/data/setup/probes.ts'
import { SetupProblem } from '../../src/data/setup/setup-problem.ts'
import { connect, type DumpedTable } from './snapshot.ts'

/** What PostgreSQL shows of a restore. */
const NAME = 'atrium-restore'
const NO_LIMIT = 0

const TABLES = `select c.oid::regclass::text as name from pg_class c
  where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') order by 1`
/** Functions of extensions are not ours to remove. */
const FUNCTIONS = `select p.oid::regprocedure::text as name from pg_proc p
  where p.pronamespace = 'public'::regnamespace and p.prokind = 'f'
    and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')`

/**
 * Makes a database ready to be filled: it keeps only the table of migrations, which records that a restore is in
 * progress. Until it is finished no service starts on the database.
 * @throws SetupProblem if the service runs on it, or if it has tables and `replace` is false
 */
export async function clearTarget(url: string, replace: boolean): Promise<void> {
  const clear = async (client: pg.Client) => {
    await assertNoService(client)
    const { rows: tables } = await client.query(TABLES)
    if (tables.length > 0 && !replace)
      throw new SetupProblem(
        `The database is not empty: it has ${tables.length} tables. Name an empty one, or discard its contents with --replace`,
      )
    await client.query('begin')
    await client.query(`set local lock_timeout = '10s'`)
    // Tables on workers refer to tables that every worker has; without Citus nobody reads the setting.
    await client.query(`set local citus.multi_shard_modify_mode = 'sequential'`)
    for (const { name } of tables) await client.query(`drop table ${name} cascade`)
    for (const { name } of (await client.query(FUNCTIONS)).rows) await client.query(`drop function ${name} cascade`)
    await beginMigrations(client)
    await client.query('insert into schema_migrations (name, checksum) values ($1, $2)', [RESTORING, ''])
    await client.query('commit')
  }
  await withClient(url, NAME, clear, NO_LIMIT)
}

/** After this, services start on the database. */
export async function releaseTarget(url: string): Promise<void> {
  const release = (client: pg.Client) => client.query('delete from schema_migrations where name = $1', [RESTORING])
  await withClient(url, NAME, release, NO_LIMIT)
}

/** With the column that each one numbers. */
const OWNED_SEQUENCES = `
  select s.relname::text as sequence, a.attname::text as column, c.relname::text as table
    from pg_depend d
    join pg_class s on s.oid = d.objid and s.relkind = 'S'
    join pg_class c on c.oid = d.refobjid and c.relnamespace = 'public'::regnamespace
    join pg_attribute a on a.attrelid = c.oid and a.attnum = d.refobjsubid
   where d.classid = 'pg_class'::regclass and d.refclassid = 'pg_class'::regclass and d.deptype in ('a', 'i')`

/**
 * Fills the tables of a prepared database, in one commit. Row security would stop the owner, so it is not forced during
 * this transaction. No one else sees inside it.
 */
export async function openRefill(url: string, tables: readonly DumpedTable[]) {
  const client = await connect(url, NAME)
  const quoted = (name: string) => client.escapeIdentifier(name)
  await client.query('begin; set local idle_in_transaction_session_timeout = 0; set local statement_timeout = 0')
  for (const { name, ofTenants } of tables) {
    if (ofTenants) await client.query(`alter table ${quoted(name)} no force row level security`)
    await client.query(`alter table ${quoted(name)} disable trigger user`)
  }
  for (const { name } of [...tables].reverse()) {
    const { rows } = await client.query(`select exists (select from ${quoted(name)}) as filled`)
    if (rows[0].filled) await client.query(`delete from ${quoted(name)}`)
  }
  const counts: Record<string, number> = {}
  let open: { name: string; stream: CopyStreamQuery; failed: Promise<never> } | undefined

  async function endTable() {
    if (!open) return
    const { name, stream, failed } = open
    open = undefined
    stream.end()
    await Promise.race([finished(stream), failed])
    counts[name] = stream.rowCount
  }

  function beginTable({ name, columns }: DumpedTable) {
    const stream = client.query(copyFrom(`copy ${quoted(name)} (${columns.map(quoted).join(', ')}) from stdin`))
    const failed = once(stream, 'error').then(([error]) => Promise.reject(error))
    failed.catch(() => {})
    open = { name, stream, failed }
    return open
  }

  return {
    /** Takes a part of the rows of a table, in the text format of COPY; the parts of one table are consecutive. */
    async take(table: DumpedTable, rows: AsyncIterable<Buffer>) {
      if (open?.name !== table.name) await endTable()
      const { stream, failed } = open ?? beginTable(table)
      for await (const chunk of rows) if (!stream.write(chunk)) await Promise.race([once(stream, 'drain'), failed])
    },
    /**
     * Commits the rows, and sets each sequence to the last number that was drawn from it, or to its table's highest id.
     * @param expected how many rows each table must have
     * @throws SetupProblem if a table got a different number of rows; then nothing is committed
     */
    async commit(sequences: Record<string, string>, expected: Record<string, number>) {
      await endTable()
      const wrong = Object.keys(expected).filter((name) => expected[name] !== (counts[name] ?? 0))
      if (wrong.length > 0) throw new SetupProblem(`Not all rows arrived, so none were kept: ${wrong.join(', ')}`)
      for (const [name, last] of Object.entries(sequences))
        await client.query('select setval(to_regclass($1), $2::bigint)', [quoted(name), last])
      const { rows: owned } = await client.query<{ sequence: string; column: string; table: string }>(OWNED_SEQUENCES)
      for (const { sequence, column, table } of owned)
        await client.query(
          `select setval($1::regclass, greatest(max(${quoted(column)}), $2::bigint)) from ${quoted(table)}`,
          [quoted(sequence), sequences[sequence]],
        )
      for (const { name, ofTenants } of tables) {
        await client.query(`alter table ${quoted(name)} enable trigger user`)
        if (ofTenants) await client.query(`alter table ${quoted(name)} force row level security`)
      }
      await client.query('commit')
    },
    close: () => client.end(),
  }
}
