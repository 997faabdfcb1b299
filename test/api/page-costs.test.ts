import { beforeAll, describe, test } from 'vitest'
import { z } from 'zod'
import { numberEvents } from '../../src/data/events/number-events.ts'
import type { Call } from '../../src/data/wire/flight.ts'
import { expectNone } from '../support/expect-none.ts'
import { formOf } from '../support/form.ts'
import { type Instance, openInstance } from '../support/instance.ts'
import { until } from '../support/patience.ts'
import { listRoutes, listWalked, named, nameOf, type Route } from '../support/routes.ts'
import {
  addressOf,
  fillPath,
  isUndone,
  kindsIn,
  makeBy,
  makerOf,
  missingOf,
  sampleOf,
  seedTenant,
} from '../support/samples.ts'
import { openWorld, type Person } from '../support/world.ts'

/**
 * A list of many rows costs as many statements as a list of one. Each is read by an instance that has forgotten
 * everybody's name; a statement that it sends once for each row is named.
 */
const EACH = 3
/** A tree of constants; the sessions of one person, who has one; mails, which only fail. */
const SHORT = ['/dept/list', '/auth/sessions', '/mails']

const world = await openWorld()
let instance: Instance
/** What the instance sends in the tenant; a read that takes too long is sent again as it is. */
const sent = new Set<Call>()
const home = await seedTenant(world, await world.givenTenant(), 'of-everybody')
const reader = home.tenant.administrator
/** ids by their kind, those of the seed first */
const ids = new Map<string, (number | string)[]>()
const routes = await listRoutes()
const walked = await listWalked()
const isForMembers = ({ access }: Route) => access !== 'anyone' && !access.startsWith('system:')
const lists = walked.filter((route) => route.method === 'GET' && isForMembers(route) && isList(route))
/** Where a list is of one person's things, that person is the reader, who makes some too. */
const hasListsOfPeople = lists.some((route) => kindsIn(route).includes('users'))

function isPaged(route: Route): boolean {
  return 'pageSize' in (route.schema.querystring?.shape ?? {})
}
function isList(route: Route): boolean {
  return isPaged(route) || Object.values(route.schema.response).some((view) => view instanceof z.ZodArray)
}

beforeAll(async () => {
  for (const [kind, id] of Object.entries(home.ids)) ids.set(kind, [id])
  const project = { id: home.ids.projects as number }
  await world.givenMember(home.member, project, reader)
  for (let at = 0; at < EACH; at++) {
    const person = await world.givenUser(home.tenant)
    ids.get('userId')!.push(person.id)
    await world.givenMember(home.member, project, person)
    // Each row names somebody else, and tells the reader of it.
    await world.givenTask(person, project, { assigneeId: reader.id })
    for (const route of routes.filter((route) => isForMembers(route) && makes(route))) await fillBy(route, person)
    if (hasListsOfPeople) for (const route of walked.filter(makes)) await fillBy(route, reader)
    for (const route of routes.filter(revises)) await reviseBy(route, at)
    for (const { path } of routes.filter(isUndone)) await markAll(path, person)
  }
  for (const { path } of routes.filter(isUndone)) {
    await markAll(path, reader)
    await attachAll(path)
  }
  for (let at = 0; at < EACH; at++) await fillWithWhatNeedsMore()
  // A request that reads events while some have no number gives them theirs, and reads again.
  while (await numberEvents(world.database, home.tenant.id));
  instance = await openInstance(world.databaseUrl, {
    hear(tenantId, calls) {
      // What an instance tidies up when it begins is of all tenants.
      if (tenantId !== home.tenant.id) return
      for (const call of calls) sent.add(call)
    },
  })
})

/** Files are sent as a form; a renewal needs an offer of the operator. */
const MADE_OTHERWISE = ['/files', '/tenant/renewals']

function makes({ method, path, schema }: Route): boolean {
  return (
    method === 'POST' &&
    '201' in schema.response &&
    path.split('/').at(-1)!.endsWith('s') &&
    !MADE_OTHERWISE.includes(path)
  )
}

const first = async (kind: string) => ids.get(kind)?.[0] ?? missingOf(kind)

const newest = async (kind: string) => ids.get(kind)?.at(-1) ?? missingOf(kind)

/** By the person where they may, or else by the administrator; what its place has once only, in the newest place. */
async function fillBy(route: Route, person: Person): Promise<void> {
  const by = await makeBy(world.as(person), route, first)
    .catch(() => makeBy(world.as(reader), route, first))
    .catch(() => makeBy(world.as(person), route, newest))
  for (const [kind, known] of ids) if (makerOf(kind) === route) known.push(by.id)
}

function revises({ method, path, schema }: Route): boolean {
  return (
    method === 'PUT' && path.endsWith('/:id') && 'version' in ((schema.body as z.ZodObject | undefined)?.shape ?? {})
  )
}

/** Leaves a line of history, where the thing can be changed so. */
async function reviseBy(route: Route, version: number): Promise<void> {
  const path = fillPath(route.path, await Promise.all(kindsIn(route).map(first)))
  await world.as(reader).put(path, { ...sampleOf(route).body, version })
}

/** What is sent as a form, by a visitor, or comes with an offer or later. */
async function fillWithWhatNeedsMore(): Promise<void> {
  const form = formOf([{ filename: 'note.txt', content: 'hello' }])
  ;(await world.as(reader).send({ method: 'POST', url: '/api/v1/files', ...form })).expect(201)
  await world.as(reader).create('/payments/checkout', { planId: 2, channel: 'card' })
  const message = { name: 'Ada', email: 'ada@example.com', message: 'Hello' }
  await world.anyone.create('/public/contact', message, { 'x-tenant-code': home.tenant.code })
  const [webhook] = ids.get('webhooks') ?? []
  if (webhook) await world.givenDeadDelivery(home.tenant, { id: Number(webhook) })
}

/** Puts everything on everything: each label on each task. */
async function attachAll(path: string): Promise<void> {
  const [outer = [], inner = []] = kindsIn({ path }).map((kind) => ids.get(kind) ?? [])
  for (const one of inner)
    for (const other of outer.toReversed()) await world.as(reader).put(fillPath(path, [other, one]))
}

/** Puts a mark of one's own on everything: on each task that one watches. */
async function markAll(path: string, person: Person): Promise<void> {
  const [things = [], ...others] = kindsIn({ path }).map((kind) => ids.get(kind) ?? [])
  if (others.length > 0) return
  for (const one of things) await world.as(person).put(fillPath(path, [one]))
}

/** As if it had just begun: everything may have been changed by hand. */
async function forgetAll() {
  await world.look.rows('update users set id = id where false')
  instance.database.announcements.publish('permissions', home.tenant.id)
}

/** The statements that a list sends more than once, and how often; and how many rows it shows. */
async function costOf(route: Route) {
  const pathIds = await Promise.all(kindsIn(route).map((kind) => (kind === 'users' ? reader.id : first(kind))))
  const query = isPaged(route) ? 'page=1&pageSize=50' : ''
  await forgetAll()
  sent.clear()
  const data = await instance.as(reader).read(addressOf(route, pathIds, query, home.ids))
  const repeated = [...Map.groupBy(sent, ({ prepared }) => prepared.text)]
    .map(([text, { length: times }]) => ({ text, times }))
    .filter(({ text, times }) => times > 1 && !text.startsWith('select set_config('))
  return { rows: (data.items ?? data).length, repeated }
}

describe.each(named(lists))('%s', (_, route) => {
  test('sends no statement once for each row', async () => {
    let cost = await costOf(route)
    const isShort = () => cost.rows < EACH && !SHORT.includes(route.path)
    const measure = async () => (cost = await costOf(route))
    // Some rows come with a job.
    if (isShort()) await until(async () => (await measure()) && !isShort()).catch(() => {})
    // What an instance does by itself may fall into a request, but hardly into each of five.
    for (let again = 0; again < 4 && cost.repeated.length > 0; again++) await measure()
    const { rows, repeated } = cost
    const breaches = repeated.map(
      ({ text, times }) =>
        `${nameOf(route)} sends a statement ${times} times for ${rows} rows: ask once for all of them, with their ids (${text.slice(0, 200)})`,
    )
    if (isShort())
      breaches.push(
        `${nameOf(route)} shows only ${rows} rows here, so nothing is known of what many cost: make more of them in page-costs.test.ts`,
      )
    expectNone(breaches)
  })
})
