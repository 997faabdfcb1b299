import { expect, test } from 'vitest'
import { inEveryTenant } from '../../src/data/jobs/every-tenant.ts'
import { findWaiting } from '../../src/data/outbox/outbox.ts'
import type { Scope } from '../../src/data/tx/scope.ts'
import type { Database } from '../../src/data/wire/database.ts'
import { Unavailable } from '../../src/data/wire/unavailable.ts'
import { openWorld } from '../support/world.ts'

/** Those of one server, at most twenty, in the order of the walk. */
const world = await openWorld()
// Its own jobs would take what waits.
await world.app.close()
await world.look.rows(
  `insert into tenants (name, code, plan) select 'T' || n, 'many-' || n, 'enterprise' from generate_series(1, 60) n`,
)
const all = (await world.look.rows('select id from tenants order by id')).map(({ id }) => Number(id))
const ofServers = Map.groupBy(all, (id) => world.database.serverOf(id)).values()
const groups = [...ofServers].flatMap((ids) =>
  Array.from({ length: Math.ceil(ids.length / 20) }, (_, at) => ids.slice(20 * at, 20 * at + 20)),
)
const tenants = groups.flat()

/** The database, and how many flights were sent on it. A tenant that is `broken` is refused with that error. */
function counted(broken?: { tenant?: number; error: Error }) {
  const sent = { flights: 0 }
  const database: Database = {
    ...world.database,
    async send(id, calls) {
      sent.flights++
      const isHit = broken?.tenant === undefined || calls.some(({ values }) => values.at(-1) === String(broken.tenant))
      if (broken && isHit && !calls.some(({ prepared }) => /from "tenants"/.test(prepared.text))) throw broken.error
      return world.database.send(id, calls)
    },
  }
  return { sent, database }
}
const hasWaiting = async (scope: Scope) => (await findWaiting(scope, {})) !== undefined

async function visit(database: Database): Promise<number[]> {
  const visited: number[] = []
  await inEveryTenant(database, { failed: 'not visited', where: hasWaiting }, async ({ tenantId }) => {
    visited.push(tenantId)
  })
  return visited
}

test('twenty tenants are looked at in one round trip, and only those with something to do are entered', async () => {
  const wanted = [tenants[3]!, tenants.at(-1)!]
  for (const id of wanted)
    await world.look.rows(
      `insert into outbox (tenant_id, type, title, receivers) values ($1, 'PROJECT_MEMBER_ADDED', 'Waits', '{1}')`,
      [id],
    )
  const { sent, database } = counted()
  expect(await visit(database)).toEqual(wanted)
  expect(sent.flights).toBe(1 + groups.length)
})

test('if the look into one tenant fails, all of its group are entered, and those of no other', async () => {
  const { database } = counted({ tenant: groups[1]!.at(-1)!, error: new Error('broken') })
  const [before, after] = [tenants[3]!, tenants.at(-1)!]
  expect(await visit(database)).toEqual([before, ...groups[1]!, after])
})

test('if nothing can be asked, the walk goes on while the list of tenants can be read, and ends otherwise', async () => {
  const error = new Unavailable('away')
  expect(await visit(counted({ error }).database)).toEqual(tenants)
  const away: Database = { ...world.database, send: () => Promise.reject(error) }
  await expect(visit(away)).rejects.toThrow('away')
})
