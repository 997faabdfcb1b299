import { describe, expect, test } from 'vitest'
import { openTransaction } from '#test/interleave.ts'
import { startJob } from '#test/jobs.ts'
import { until } from '#test/patience.ts'
import { shifted } from '#test/shifted.ts'
import { openWorld, type Person } from '#test/world.ts'
import { administer } from '../../../../tools/throwaway.ts'
import { eventWorker } from '../../../data/events/number-events.ts'
import { runCleanup } from '../../../data/jobs/cleanup.ts'
import { allEvents } from '../../../kernel/words/events.ts'
import { oldEvents } from '../events.domain.ts'

/** The event log of a tenant, as another system reads it. */
const world = await openWorld()
const tenant = await world.givenTenant()
const boss = tenant.administrator

const read = (query = '', person = boss) => world.as(person).get(`/events${query}`)
const readAll = async (query = '') => (await read(`?limit=1000${query}`)).expect(200)
const lastId = async () => (await readAll()).at(-1)?.id ?? 0
const nextOf = ({ headers }: any) => /<([^>]+)>; rel="next"/.exec(String(headers.link))?.[1]

describe('what a command does', () => {
  test('is in the log as soon as it is answered, with its actor, its subject and its data', async () => {
    const owner = await world.givenUser(tenant)
    const after = await lastId()

    const project = await world.givenProject(owner, { name: 'Relaunch' })
    const task = await world.givenTask(owner, project, { title: 'Prepare' })
    const patch = { version: 0, title: 'Launch', status: 'IN_PROGRESS' }
    ;(await world.as(owner).put(`/tasks/${task.id}`, patch)).expect(200)

    const events = await readAll(`&after=${after}`)
    expect(events).toEqual([
      expect.objectContaining({
        type: 'project.created',
        subject: { type: 'project', id: project.id },
        data: { name: 'Relaunch', code: project.code, ownerId: owner.id, startDate: null, endDate: null, version: 0 },
      }),
      expect.objectContaining({ type: 'task.created', subject: { type: 'task', id: task.id } }),
      {
        id: after + 3,
        type: 'task.updated',
        occurredAt: expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/),
        actor: { kind: 'user', id: owner.id, name: expect.stringMatching(/^Person/) },
        subject: { type: 'task', id: task.id },
        data: {
          projectId: project.id,
          version: 1,
          changes: [
            { field: 'title', from: 'Prepare', to: 'Launch' },
            { field: 'status', from: 'TODO', to: 'IN_PROGRESS' },
          ],
        },
      },
    ])
  })

  test('is not in it if it was refused, or changed nothing', async () => {
    const owner = await world.givenUser(tenant)
    const project = await world.givenProject(owner)
    const task = await world.givenTask(owner, project)
    const after = await lastId()

    ;(await world.as(owner).put(`/tasks/${task.id}`, { version: 7, title: 'x' })).expect(409)
    ;(await world.as(owner).put(`/tasks/${task.id}`, { version: 0, status: 'DONE' })).expect(409)
    ;(await world.as(owner).put(`/tasks/${task.id}`, { version: 0 })).expect(200)
    ;(await world.as(owner).put(`/projects/${project.id}/members/${owner.id}`)).expect(200)

    expect(await readAll(`&after=${after}`)).toEqual([])
  })

  test('names a former member by a word, and the system administrator of another tenant as the system', async () => {
    const leaver = await world.givenUser(tenant)
    const owner = await world.givenUser(tenant)
    const project = await world.givenProject(owner)
    await world.givenMember(owner, project, leaver)
    const after = await lastId()
    const task = await world.givenTask(leaver, project)
    const there = { 'x-tenant-code': tenant.code }
    ;(await world.as(world.admin).put(`/projects/${project.id}`, { version: 0, name: 'Theirs' }, there)).expect(200)
    ;(await world.as(boss).delete(`/users/${leaver.id}`)).expect(200)

    const [created, renamed] = await readAll(`&after=${after}&types=task.created,project.updated`)

    expect(created).toMatchObject({
      subject: { id: task.id },
      actor: { kind: 'user', id: leaver.id, name: 'former member' },
    })
    expect(renamed.actor).toEqual({ kind: 'system', id: null, name: 'Atrium' })
  })
})

describe('the log', () => {
  test('is read oldest first from the beginning, and page by page from an id', async () => {
    const all = await readAll()
    expect(all.map(({ id }: any) => id)).toEqual(all.map((_: unknown, at: number) => at + 1))

    const first = await read('?limit=2&after=0')
    expect(first.expect(200)).toEqual(all.slice(0, 2))
    const second = await world.as(boss).send({ method: 'GET', url: nextOf(first)! })
    expect(second.expect(200)).toEqual(all.slice(2, 4))
    const last = await read(`?after=${all.at(-1).id}`)
    expect(last.expect(200)).toEqual([])
    expect(nextOf(last)).toBeUndefined()
  })

  test('can be read by types, and says where they continue', async () => {
    const owner = await world.givenUser(tenant)
    const project = await world.givenProject(owner)
    for (let at = 0; at < 3; at++) await world.givenTask(owner, project)

    const some = await readAll('&types=task.created,project.created')

    expect(some).toEqual((await readAll()).filter(({ type }: any) => /^(task|project)\.created$/.test(type)))
    const page = await read('?types=task.created&limit=2')
    expect(page.expect(200)).toEqual(some.filter(({ type }: any) => type === 'task.created').slice(0, 2))
    expect(nextOf(page)).toContain(`after=${page.expect(200).at(-1).id}`)
    expect((await read('?types=')).expect(200)).not.toEqual([])
  })

  test('loses what is older than it is kept, and goes on from the oldest kept', async () => {
    const quiet = await world.givenTenant()
    const owner = await world.givenUser(quiet)
    await world.givenProject(owner)
    const old = (await read('', quiet.administrator)).expect(200).at(-1).id
    await world.look.rows(
      `update events set occurred_at = ${shifted('occurred_at', '-31 days')} where tenant_id = $1`,
      [quiet.id],
    )
    await world.givenProject(owner)

    await runCleanup(world.database, oldEvents(30))

    const kept = (await read('?after=0', quiet.administrator)).expect(200)
    expect(kept.map(({ id, type }: any) => [id, type])).toEqual([[old + 1, 'project.created']])
    expect(oldEvents(0)).toEqual([])
  })

  test('gives no event an id below one that was read, however late its command commits', async () => {
    const slow = await openTransaction(world.databaseUrl)
    await slow.query(
      `insert into unnumbered_events (tenant_id, type, subject_type, subject_id, actor_kind, data, occurred_at)
       values ($1, 'tenant.disabled', 'tenant', $1, 'system', '{}', now())`,
      [tenant.id],
    )
    await world.givenProject(await world.givenUser(tenant))
    const before = await lastId()
    await slow.commit()

    expect(await readAll(`&after=${before}`)).toEqual([
      expect.objectContaining({ id: before + 1, type: 'tenant.disabled' }),
    ])
  })

  test('gets its ids from the worker if nobody reads it', async () => {
    const quiet = await world.givenTenant()
    await world.givenProject(await world.givenUser(quiet))
    const countOf = (table: string) =>
      world.look.count(`select count(*) from ${table} where tenant_id = $1`, [quiet.id])
    // The worker of the service may have been here already.
    const all = await countOf(
      '(select tenant_id from unnumbered_events union all select tenant_id from events) happened',
    )
    expect(all).toBeGreaterThan(1)

    const worker = await startJob(world.database, eventWorker)
    await until(async () => (await countOf('unnumbered_events')) === 0)
    await worker.stop()

    expect(await countOf('events')).toBe(all)
  })
})

describe('waiting', () => {
  test('ends when something happens, and before its time', async () => {
    const owner = await world.givenUser(tenant)
    const after = await lastId()
    const waiting = read(`?wait=30&after=${after}`)
    await until(() => world.app.streams.count() === 1)
    const project = await world.givenProject(owner)

    const events = (await waiting).expect(200)

    expect(events).toEqual([expect.objectContaining({ id: after + 1, subject: { type: 'project', id: project.id } })])
    expect(world.app.streams.count()).toBe(0)
  })

  test('goes on if what happens is of another type, and ends empty when its time is over', async () => {
    const owner = await world.givenUser(tenant)
    const waiting = read(`?wait=1&after=${await lastId()}&types=task.created`)
    await until(() => world.app.streams.count() === 1)
    await world.givenProject(owner)

    expect((await waiting).expect(200)).toEqual([])
  })

  test.each<[string, (reader: Person, role: string) => Promise<unknown>, number]>([
    ['the session', async (reader) => (await world.as(reader).post('/auth/logout')).expect(200), 401],
    [
      // Nothing announces it, so the session is remembered for longer than it lives.
      'the session, also while the end is not known everywhere',
      ({ id }) => administer(world.databaseUrl, `delete from sessions where user_id = ${id}`),
      401,
    ],
    [
      'the permission',
      async (_, role) => {
        const path = `/roles/${await world.roleId(tenant, role)}`
        ;(await world.as(boss).put(path, { permissionIds: [] })).expect(200)
      },
      403,
    ],
  ])('ends with %s', async (_, end, status) => {
    const role = await world.givenRole(tenant, ['event:view'])
    const reader = await world.givenUser(tenant, role)
    const waiting = read(`?wait=30&after=${await lastId()}`, reader)
    await until(() => world.app.streams.count() === 1)
    await end(reader, role)

    expect((await waiting).status).toBe(status)
  })

  test('is limited for each person: one more ends the oldest', async () => {
    const owner = await world.givenUser(tenant)
    const after = await lastId()
    const waiting = Array.from({ length: 13 }, () => read(`?wait=30&after=${after}`))
    expect((await Promise.race(waiting)).expect(200)).toEqual([])

    await world.givenProject(owner)
    const heard = await Promise.all(waiting)
    expect(heard.filter((answer) => answer.expect(200).length === 1)).toHaveLength(12)
  })
})

test('the document describes what each event holds', async () => {
  const { webhooks } = JSON.parse((await world.app.inject('/openapi.json')).body)
  for (const { type, data } of await readAll()) {
    expect(Object.keys(webhooks)).toContain(type)
    allEvents().get(type)!.data.strict().parse(data)
  }
})
