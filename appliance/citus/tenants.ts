import { command, type Group } from '../../src/atrium/command-line.ts'
import { findHome, type Home, isolateTenant, moveTenant } from '../../src/data/setup/citus/move-tenant.ts'
import { FIRST_TENANT } from '../../src/kernel/actor.ts'
import { actAs, tenantOf } from '../cli/system.ts'
import { say } from '../cli/terminal.ts'
import { configOf, withDatabase } from '../cli/workplace.ts'

const isolate = command({
  about: 'In a cluster, give a tenant shards of its own',
  detail: `It stays on its node; atrium tenant move takes it to another. The service keeps running, and the tenant works on if
wal_level is logical on every node; otherwise its changes wait until it is done.`,
  operands: ['CODE'],
  run: (_, code = '') => place(code, 'tenant isolate', isolateTenant),
})

const move = command({
  about: 'In a cluster, move a tenant to another node, with the tenants that share its shards',
  detail: `NODE is host:port, as atrium citus status shows it. To move it alone, isolate it first. The service keeps running, and the
tenant works on if wal_level is logical on every node; otherwise its changes wait until it is done.`,
  operands: ['CODE', 'NODE'],
  run: (_, code = '', node = '') => place(code, 'tenant move', (url, id) => moveTenant(url, id, node)),
})

const where = command({
  about: 'In a cluster, show the node of a tenant',
  operands: ['CODE'],
  run: async (_, code = '') => {
    const config = configOf(process.env)
    await withDatabase(config, async (database, url) => {
      const { id } = await tenantOf(database, code)
      say(describe(code, await findHome(config.migrationUrl ?? url, id)))
    })
  },
})

async function place(code: string, name: string, act: (url: string, tenantId: number) => Promise<Home>) {
  const config = configOf(process.env)
  await withDatabase(config, async (database, url) => {
    const { id } = await tenantOf(database, code)
    const home = await act(config.migrationUrl ?? url, id)
    await actAs(database, FIRST_TENANT, name, async () => {})
    say(describe(code, home))
  })
}

function describe(code: string, { node, shard, neighbours }: Home): string {
  const others = neighbours === 0 ? 'alone' : `with ${neighbours} others`
  return `${code} is on ${node.host}:${node.port}, ${others}, in the shards beside ${shard}.`
}

export const placedTenants: Group['commands'] = { isolate, move, where }
