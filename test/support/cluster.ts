import { readFile } from 'node:fs/promises'
import { inject } from 'vitest'
import { administer } from '../../tools/throwaway.ts'
import { createDatabase } from './database.ts'
import { joinAll, TEST_CITUS } from './servers.ts'

/**
 * A database on which Citus is on, and nothing is distributed yet. Without TEST_CITUS a stand-in refuses what Citus
 * refuses, and what only real workers can show is skipped.
 * @param before what happens to it while it is still one of plain PostgreSQL
 * @param way the URL at which the cluster reaches a worker
 * @returns its superuser URL, at the coordinator
 */
export async function createOnCluster(
  before: (url: string) => Promise<unknown> = async () => {},
  way?: (worker: string) => Promise<string>,
): Promise<string> {
  const url = await createDatabase('template0')
  await before(url)
  if (TEST_CITUS) await joinAll(inject('servers'), new URL(url).pathname.slice(1), way)
  else await standIn(url)
  return url
}

/** Turns a database of plain PostgreSQL into what it is where Citus is on, as far as this can be without one. */
async function standIn(url: string): Promise<void> {
  await administer(url, await readFile(new URL('citus-stand-in.sql', import.meta.url), 'utf8'))
  const { hostname, port } = new URL(url)
  const itself = `'${hostname}', ${port || 5432}`
  await administer(
    url,
    `insert into citus_stand_in.pg_dist_node (nodeid, groupid, nodename, nodeport, shouldhaveshards)
       values (1, 0, ${itself}, false), (2, 1, ${itself}, true)`,
  )
}
