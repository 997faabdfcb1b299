import { onEachServer } from './database.ts'
import { until } from './patience.ts'

/**
 * Vacuums and analyses until the rows of the tables are marked as visible to all, on which plans depend. A transaction
 * that began before the rows, such as one of autovacuum, keeps them from it.
 */
export async function vacuumed(url: string, tables: readonly string[]): Promise<void> {
  const hidden = `select from pg_class where relkind = 'r' and relname ~ '^(${tables.join('|')})(_\\d+)?$' and relallvisible < 0.9 * relpages`
  await until(async () => {
    await onEachServer(url, 'vacuum (analyze)')
    return (await onEachServer(url, hidden)).length === 0
  }, 500)
}
