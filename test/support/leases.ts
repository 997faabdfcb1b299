import { type Inspector, reach } from './database.ts'
import { until } from './patience.ts'
import { shifted } from './shifted.ts'
import { tablesIn } from './tables.ts'

/** As if the 15 seconds had passed in which nobody else takes the mails and deliveries that a killed process had. */
export async function endLeases(look: Inspector): Promise<void> {
  // What it had sent to the database by then is still carried out. A pooler keeps connections.
  if (!reach(look.url).pooled) await until(async () => (await look.countEverywhere(CONNECTIONS)) === 0)
  const tables = await tablesIn(look)
  if (tables.has('mails'))
    await look.rows(`update mails set due_at = ${shifted('due_at', '-15 seconds')} where status = 'waiting'`)
  if (tables.has('webhook_deliveries'))
    await look.rows(
      `update webhook_deliveries set leased_until = ${shifted('leased_until', '-15 seconds')} where leased_until is not null`,
    )
}
const CONNECTIONS = `select count(*) from pg_stat_activity where datname = current_database() and application_name = 'atrium'`
