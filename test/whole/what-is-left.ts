import { expect } from 'vitest'
import { exportAs, readArchive } from '../../src/plugins/portability/test/archive.ts'
import { type Client, clientOf } from '../support/client.ts'
import { until } from '../support/patience.ts'
import { listWalked } from '../support/routes.ts'
import { addressOf, type Furniture, kindsIn, pathIdsOf } from '../support/samples.ts'
import type { Person, Tenant, World } from '../support/world.ts'

const AUDIT = /(^|\/)audit_/
const routes = (await listWalked()).filter(
  ({ method, path }) => method === 'GET' && path !== '/tenant/export' && path !== '/audit/operations',
)

/** Every place of a tenant that has a mark, but for the audit: rows, the export, and the answers to readers. */
export async function placesWith(mark: string, world: World, ours: Furniture, readers: readonly Person[]) {
  /** Where a text has the mark. */
  const placesIn = (text: string) =>
    [...text.matchAll(new RegExp(`.{0,60}${mark}.{0,30}`, 'gi'))].map(([place]) => place)
  const visitor = clientOf(world.app, { 'x-tenant-code': ours.tenant.code })
  const found: string[] = []
  for (const person of readers) await ask(world.as(person), false)
  await ask(visitor, true)

  const tables = await world.look.rows<{ name: string }>(
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')`,
  )
  for (const { name } of tables.filter((table) => !AUDIT.test(table.name)))
    for (const { row } of await world.look.rows<{ row: string }>(
      `select t::text as row from "${name}" t where t::text ilike '%${mark}%'`,
    ))
      found.push(`${name} has ${placesIn(row)}`)

  const { entries } = await readArchive((await exportAs(world.app, ours.tenant.administrator)).stream)
  for (const [name, body] of entries)
    if (!AUDIT.test(name)) found.push(...placesIn(body.toString()).map((place) => `${name} has ${place}`))
  return found

  /** Asks for everything that a reader may read; of each thing that a list names, too. */
  async function ask(reader: Client, isVisitor: boolean) {
    const listed = new Map<string, Set<number>>()
    for (const route of routes.toSorted((a, b) => kindsIn(a).length - kindsIn(b).length)) {
      if (!isVisitor && route.access === 'anyone') continue
      for (const ids of idsFor(route.path, listed)) {
        const isPaged = 'pageSize' in (route.schema.querystring?.shape ?? {})
        const { body, data } = await reader.get(addressOf(route, ids, isPaged ? 'pageSize=100' : '', ours.ids))
        for (const place of placesIn(JSON.stringify(body) ?? '')) found.push(`${route.path} answers ${place}`)
        const rows = Array.isArray(data) ? data : (data?.items ?? [])
        if (ids.length === 0) listed.set(route.path, new Set(rows.flatMap((row: any) => row?.id ?? [])))
      }
    }
  }

  /** The ids with which a route is called: those that its list names, and those of what the tenant was filled with. */
  function idsFor(path: string, listed: ReadonlyMap<string, ReadonlySet<number>>): (number | string)[][] {
    const seeded = pathIdsOf({ path }, ours.ids)
    const [list] = path.split('/:')
    return seeded.length === 1 ? [seeded, ...[...(listed.get(list!) ?? [])].map((id) => [id])] : [seeded]
  }
}

/** Everybody for whom something open waits, as the service says it to an administrator, can act and gets a notification. */
export const expectNobodyIsWaitedForInVain = (world: World, tenant: Tenant, after: string) =>
  until(async () => expect(await waitingInVain(world, tenant), after).toEqual([]))

async function waitingInVain(world: World, { id: tenantId, administrator }: Tenant): Promise<string[]> {
  const boss = world.as(administrator)
  const able = async (permission: string) => {
    const rows = await world.look.rows<{ id: number }>(
      `select distinct u.id::float8 from users u join user_roles r on r.tenant_id = u.tenant_id and r.user_id = u.id
         join role_permissions p on p.tenant_id = r.tenant_id and p.role_id = r.role_id
         join permissions c on c.id = p.permission_id
        where u.tenant_id = $1 and u.status = 'active' and u.deleted_at is null and c.code = $2`,
      [tenantId, permission],
    )
    return new Set(rows.map(({ id }) => id))
  }
  const told = async (type: string) => {
    const rows = await world.look.rows<{ told: string }>(
      `select receiver_id || ' of ' || resource_id as told from notifications where tenant_id = $1 and type = $2`,
      [tenantId, type],
    )
    return new Set(rows.map((row) => row.told))
  }
  const [deciders, inviters] = [await able('approval:action'), await able('user:invite')]
  const [pending, dismissed] = [await told('APPROVAL_PENDING'), await told('SUBSTITUTE_DISMISSED')]

  const gone = await world.look.rows<{ id: number }>(
    'select id::float8 from users where tenant_id = $1 and deleted_at is not null',
    [tenantId],
  )
  const isGone = new Set(gone.map(({ id }) => id))
  const inVain: string[] = []
  for (const request of await boss.read('/approvals?pageSize=1000')) {
    const { id, status, waitingFor, substituteId, applicantId } = request
    if (status === 'DRAFT' && isGone.has(applicantId)) inVain.push(`draft ${id}`)
    if (status !== 'PENDING') continue
    for (const one of [waitingFor.approverId ?? administrator.id, ...(substituteId ? [substituteId] : [])]) {
      if (!deciders.has(one)) inVain.push(`request ${id} waits for ${one}, who cannot decide`)
      if (!pending.has(`${one} of ${id}`)) inVain.push(`request ${id} waits for ${one}, who was not told`)
    }
  }
  for (const { id, status, invitedById } of await boss.read('/invitations'))
    if (status === 'pending' && !inviters.has(invitedById)) inVain.push(`invitation ${id}`)
  for (const { name } of await world.look.rows<{ name: string }>(
    `select 'task ' || t.id as name from tasks t join users u on u.tenant_id = t.tenant_id and u.id = t.assignee_id
      where t.tenant_id = $1 and t.status not in ('DONE', 'CANCELLED') and u.deleted_at is not null`,
    [tenantId],
  ))
    inVain.push(name)
  for (const { person, substitute } of await world.look.rows<{ person: number; substitute: number }>(
    'select user_id::float8 as person, substitute_id::float8 as substitute from substitutes where tenant_id = $1',
    [tenantId],
  ))
    if (!deciders.has(substitute) && !dismissed.has(`${person} of ${substitute}`))
      inVain.push(`${person} was not told that ${substitute} stands in no more`)
  return inVain
}
