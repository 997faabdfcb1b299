import type pg from 'pg'
import { statementsOf } from '#atrium'
import { findCluster } from './cluster.ts'
import { foreignKeysOf, place, placeFunctions } from './distribute.ts'

const CREATES_TABLE = /^(\s|--.*\n)*create table\b/i

/**
 * Applies a migration, in the open transaction, to a database whose tables are on workers. Citus refuses foreign keys
 * between a table that is not distributed yet and one that is, so a new table is made without its knowledge, put in its
 * place without its keys, and gets them back: the file is the same as for one server.
 */
export async function applyToCluster(client: pg.Client, sql: string): Promise<void> {
  await client.query(`set local citus.multi_shard_modify_mode = 'sequential'`)
  for (const statement of statementsOf(sql)) {
    const send = () => client.query(statement).catch((error) => fail(error, sql.indexOf(statement)))
    if (!CREATES_TABLE.test(statement)) await send()
    else {
      await unknownToCitus(client, send)
      await placeNewTables(client)
    }
  }
  await placeFunctions(client)
}

/** The server counts from the beginning of the statement, and the error names a line of the file. */
function fail(error: pg.DatabaseError, start: number): never {
  if (error.position) error.position = String(start + Number(error.position))
  throw error
}

async function unknownToCitus(client: pg.Client, work: () => Promise<unknown>): Promise<void> {
  await client.query('set local citus.enable_ddl_propagation = off')
  await work()
  await client.query('set local citus.enable_ddl_propagation = on')
}

async function placeNewTables(client: pg.Client): Promise<void> {
  const { tables } = (await findCluster(client))!
  for (const { name, needs } of tables.filter(({ needs, is }) => needs !== is)) {
    const keys = await foreignKeysOf(client, name)
    await unknownToCitus(client, async () => {
      for (const { relation, name } of keys) await client.query(`alter table ${relation} drop constraint ${name}`)
    })
    await place(client, name, needs)
    for (const { relation, name, definition } of keys)
      await client.query(`alter table ${relation} add constraint ${name} ${definition}`)
  }
}
