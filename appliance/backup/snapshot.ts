import type pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import { hasFile, leaveOut, listFiles, type StoredBytes } from '../../src/data/archive/stored-files.ts'
import { listTables } from '../../src/data/archive/tables.ts'
import { Client } from '../../src/data/connections/client.ts'
import { type Applied, listApplied } from '../../src/data/setup/migrations.ts'
import { SetupProblem } from '../../src/data/setup/setup-problem.ts'

export interface DumpedTable {
  name: string
  columns: string[]
  /** whether its rows belong to tenants and are visible only within one */
  ofTenants: boolean
}

export type DumpedFile = StoredBytes

const NAME = 'atrium-backup'

/** All rows as of one moment, however long it takes to read them. */
export interface Snapshot {
  /** by the clock of the database */
  takenAt: Date
  database: string
  serverVersion: string
  migrations: Pick<Applied, 'name' | 'checksum'>[]
  /** referenced tables come first */
  tables: DumpedTable[]
  /** every file that has a row, tenant by tenant */
  files(): AsyncGenerator<DumpedFile>
  /** whether the row of a file still exists now, outside the snapshot */
  isThere(file: DumpedFile): Promise<boolean>
  /** The rows of a table in the text format of COPY; from `files` without those in `without`. */
  rows(table: DumpedTable, without: readonly DumpedFile[]): AsyncGenerator<Buffer>
  /** the last number drawn from each sequence; read at the end, so no row has a higher one */
  sequences(): Promise<Record<string, string>>
  close(): Promise<void>
}

/**
 * Opens a snapshot. Like pg_dump, it locks the shape of every table until it is closed, but blocks no reads or writes.
 * If row security also applies to the role, it enters one tenant after the other.
 * @param url of the owner of the tables, or of a superuser
 */
export async function openSnapshot(url: string): Promise<Snapshot> {
  const [client, present] = [await connect(url, NAME), await connect(url, NAME)]
  await client.query('begin isolation level repeatable read, read only')
  await client.query('set local idle_in_transaction_session_timeout = 0; set local statement_timeout = 0')
  const tables: DumpedTable[] = (await listTables(client)).map(({ name, columns, ofTenants }) => ({
    ...{ name, columns: columns.map((column) => column.name), ofTenants },
  }))
  if (tables.length === 0) throw new SetupProblem('There is nothing to back up: the database has no tables')
  const names = tables.map(({ name }) => client.escapeIdentifier(name)).join(', ')
  await client.query(`lock table ${names} in access share mode`)
  const { rows: facts } = await client.query(
    `select clock_timestamp() as "takenAt", current_database()::text as database, current_setting('server_version') as "serverVersion",
            r.rolsuper or r.rolbypassrls as "passesBy" from pg_roles r where r.rolname = current_user`,
  )
  const { passesBy, ...told } = facts[0]
  const { rows: tenants } = await client.query<{ id: number }>('select id::float8 as id from tenants order by 1')
  // Only in this form does a cluster take the tenant of a transaction along to the nodes that hold its rows.
  const enter = (on: pg.Client, id: number) => on.query(`set local app.tenant_id = '${BigInt(id)}'`)

  return {
    ...told,
    migrations: (await listApplied(client)).map(({ name, checksum }) => ({ name, checksum })),
    tables,

    async *files() {
      for (const { id } of tenants) {
        await enter(client, id)
        yield* listFiles(client, id)
      }
    },

    async isThere(file) {
      await present.query('begin')
      await enter(present, file.tenantId)
      return hasFile(present, file).finally(() => present.query('commit'))
    },

    async *rows(table, without) {
      const query = selectOf(client, table, without)
      if (passesBy || !table.ofTenants) return yield* copy(client, query(''))
      for (const { id } of tenants) {
        await enter(client, id)
        yield* copy(client, query(`where tenant_id = ${Number(id)}`))
      }
    },

    async sequences() {
      const { rows } = await client.query(
        `select sequencename::text as name, last_value::text as last from pg_sequences where schemaname = 'public' and last_value is not null`,
      )
      return Object.fromEntries(rows.map(({ name, last }) => [name, last]))
    },

    async close() {
      await Promise.allSettled([client.end(), present.end()])
    },
  }
}

/** A connection without limits of time. @param name what PostgreSQL shows of it */
export async function connect(url: string, name: string): Promise<pg.Client> {
  const client = new Client({ connectionString: url, application_name: name })
  client.on('error', () => {})
  await client.connect()
  return client
}

async function* copy(client: pg.Client, query: string): AsyncGenerator<Buffer> {
  yield* client.query(copyTo(`copy (${query}) to stdout`))
}

function selectOf(client: pg.Client, { name, columns }: DumpedTable, without: readonly DumpedFile[]) {
  const quoted = (text: string) => client.escapeIdentifier(text)
  const source =
    name === 'files' && without.length > 0 ? `(select * from files where ${leaveOut(without)}) as files` : quoted(name)
  return (where: string) => `select ${columns.map(quoted).join(', ')} from ${source} ${where}`
}
