import { type Inspector, openInspector } from './database.ts'
import { isOnCluster } from './servers.ts'

/**
 * Asks questions over the rows of all tenants. Citus answers few of those that join or nest across tenants, so on a
 * cluster the rows are first copied into plain tables of the coordinator, and the copies are asked. Nobody may write
 * meanwhile. Copies that are gathered again stay as they are, also if they were changed.
 */
export async function gathered<T>(look: Inspector, ask: (look: Inspector) => Promise<T>): Promise<T> {
  if (!isOnCluster(look.url) || look.url.endsWith(COPIES)) return ask(look)
  await look.rows(GATHER)
  const copies = await openInspector(look.url + COPIES)
  return ask(copies).finally(() => copies.close())
}

const COPIES = '?options=-c%20search_path%3Dgathered,public'

/** Jobs move rows out of the two tables that are locked; one that is moved between two copies would be in neither. */
const GATHER = `do $$ declare it record; begin
  lock table unnumbered_events, outbox in share mode;
  drop schema if exists gathered cascade;
  create schema gathered;
  for it in select relname as name from pg_class join pg_dist_partition on logicalrelid = pg_class.oid order by 1 loop
    execute format('create table gathered.%1$I (like public.%1$I including indexes)', it.name);
    execute format('insert into gathered.%1$I select * from public.%1$I', it.name);
  end loop;
end $$`
