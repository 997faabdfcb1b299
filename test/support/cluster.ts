import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import pg from 'pg'
import { urlOfNode } from '../../src/data/setup/citus/cluster.ts'
import { administer } from '../../tools/throwaway.ts'
import { createDatabase } from './database.ts'

/**
 * The superuser URL of a database on the coordinator of a Citus, with its workers added; databases of the tests are made
 * beside it. Without it a stand-in refuses what Citus refuses, and what only real workers can show is skipped.
 */
export const TEST_CITUS = process.env.TEST_CITUS
if (!TEST_CITUS) console.warn('TEST_CITUS is not set: a stand-in for Citus is used, and no worker is asked.')

/** Few, because each table takes time for each shard. */
const SHARDS = 4

/**
 * A database on which Citus is on, and nothing is distributed yet.
 * @param before what happens to it while it is still one of plain PostgreSQL
 * @returns its superuser URL, at the coordinator
 */
export async function createOnCluster(before: (url: string) => Promise<unknown> = async () => {}): Promise<string> {
  if (!TEST_CITUS) {
    const url = await createDatabase()
    await before(url)
    await standIn(url)
    return url
  }
  const name = `test_${randomBytes(6).toString('hex')}`
  const nodes = await nodesOf(TEST_CITUS)
  const urls = nodes.map((node) => Object.assign(new URL(urlOfNode(TEST_CITUS!, node)), { pathname: `/${name}` }).href)
  for (const url of urls)
    await administer(Object.assign(new URL(url), { pathname: '/postgres' }).href, `create database ${name}`)
  const coordinator = urls[0]!
  await before(coordinator)
  for (const url of urls) await administer(url, 'create extension citus')
  const [{ host, port }, ...workers] = nodes as [Node, ...Node[]]
  await administer(coordinator, `select citus_set_coordinator_host('${host}', ${port})`)
  for (const { host, port } of workers) await administer(coordinator, `select citus_add_node('${host}', ${port})`)
  await administer(coordinator, `alter database ${name} set citus.shard_count to ${SHARDS}`)
  return coordinator
}

type Node = { host: string; port: number }

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

/** The coordinator comes first. */
async function nodesOf(url: string): Promise<Node[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client
    .query('select nodename as host, nodeport as port from pg_dist_node order by groupid')
    .finally(() => client.end())
  return rows
}
