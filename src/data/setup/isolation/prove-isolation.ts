import type pg from 'pg'
import { withClient } from '../../connections/with-client.ts'
import { clusters } from '../../topology/clusters.ts'
import { mayBecome, mayNotEnter } from '../service-role.ts'
import { SetupProblem } from '../setup-problem.ts'
import { openTables, strongRole, visibleRows } from './row-security.ts'

/**
 * The proof that row security holds, made before the first request: the service refuses to start without it.
 * @throws SetupProblem naming every hole, or the grant that is missing
 */
export async function proveIsolation(url: string, role: string): Promise<void> {
  const holes = await findHoles(url, role)
  if (holes.length)
    throw new SetupProblem(
      `Tenants are not isolated, so the service does not start:\n${holes.map((hole) => `  ${hole}`).join('\n')}`,
    )
}

/**
 * Looks for holes in the wall between tenants. Every table with a tenant_id must have its policy forced, the only
 * permissive policy must be the tenant's own, and the role that the service drops to must be unable to bypass it. In a
 * cluster the same is asked of every node, and of every shard.
 */
export async function findHoles(url: string, role: string): Promise<string[]> {
  return withClient(url, 'atrium-proof', async (client) => {
    await client.query('begin read only')
    await assertMayEnter(client, role)
    const found = [...(await openTables(client)), ...(await strongRole(client, role))]
    const ofNodes = await clusters().findHoles(client, url, role)
    return [...found, ...(ofNodes ?? (await visibleRows(client, role)))]
  })
}

async function assertMayEnter(client: pg.Client, role: string): Promise<void> {
  const { user, may } = await mayBecome(client, role)
  if (may) return
  const { problem, advice } = mayNotEnter(user, role)
  throw new SetupProblem(`${problem}. As its owner or a superuser: ${advice}`)
}
