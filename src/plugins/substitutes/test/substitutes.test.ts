import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { runJob } from '#test/jobs.ts'
import { isHere } from '#test/plugins.ts'
import { startProcess } from '#test/service.ts'
import { openWorld, type Person, type Tenant } from '#test/world.ts'
import { restoreAdministrator } from '../../../domains/roles/roles.ts'
import { ROLE } from '../../../kernel/access.ts'
import { substitutions } from '../begin-substitutions.ts'

/** A leader is away, and somebody decides for them. */
let tenant: Tenant
let leader: Person
let substitute: Person
let applicant: Person
let department: { id: number }
const world = await openWorld()
beforeEach(async () => {
  tenant = await world.givenTenant()
  leader = await world.givenUser(tenant)
  substitute = await world.givenUser(tenant)
  applicant = await world.givenUser(tenant)
  department = (await boss().post('/departments', { name: 'Sales', code: 'S', leaderId: leader.id })).expect(201)
})

const DAY_MS = 86_400_000
const dayIn = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10)
const now = { from: dayIn(-2), until: dayIn(2) }
const later = { from: dayIn(3), until: dayIn(5) }
const past = { from: dayIn(-5), until: dayIn(-3) }
const boss = () => world.as(tenant.administrator)
const nameBy = (person: Person, userId: number, days = now) =>
  world.as(person).put('/users/me/substitute', { userId, ...days })
const submitted = (person = applicant) => world.givenRequest(person, department)
const approve = (person: Person, { id }: { id: number }) => world.as(person).post(`/approvals/${id}/approve`)
const todo = async (person: Person) =>
  (await world.as(person).get('/approvals?scope=todo')).expect(200).map(({ id }: any) => id)
const pending = async (person: Person) =>
  (await world.as(person).get('/notifications'))
    .expect(200)
    .filter(({ type }: any) => type === 'APPROVAL_PENDING')
    .map(({ resourceId }: any) => resourceId)
    .reverse()
const inbox = async (person: Person) =>
  (await world.as(person).get('/notifications')).expect(200).map(({ type, title }: any) => [type, title])

describe('a substitute', () => {
  test('decides what waits for the leader, and the step says for whom', async () => {
    const before = await submitted()
    ;(await world.as(substitute).get(`/approvals/${before.id}`)).expect(404, 'NOT_FOUND')

    const view = (await nameBy(leader, substitute.id)).expect(200)

    expect(view).toEqual({ userId: substitute.id, name: expect.any(String), ...now })
    expect((await world.as(leader).get('/users/me')).expect(200).substitute).toEqual(view)
    const after = await submitted()
    expect(await todo(substitute)).toEqual([after.id, before.id])
    const all = (await world.as(substitute).get('/approvals')).expect(200)
    expect(all.map(({ id }: any) => id)).toEqual([after.id, before.id])
    expect((await world.as(substitute).get(`/approvals/${before.id}`)).expect(200)).toMatchObject({
      ...{ waitingFor: { approverId: leader.id }, substituteId: substitute.id, substituteName: view.name },
    })
    expect(await pending(substitute)).toEqual([before.id, after.id])
    expect(await pending(leader)).toEqual([before.id, after.id])

    const [decided] = (await approve(substitute, before)).expect(200).steps
    expect(decided).toMatchObject({
      ...{ approverId: leader.id, actedBy: substitute.id, decidedForId: leader.id, status: 'APPROVED' },
    })
    expect((await world.as(substitute).get(`/approvals/${before.id}`)).expect(200).steps[0]).toEqual(decided)
    // The leader still decides too.
    expect((await approve(leader, after)).expect(200).steps[0]).toMatchObject({ decidedForId: null })
    ;(await world.as(substitute).get(`/approvals/${after.id}`)).expect(404, 'NOT_FOUND')
  })

  test('and the leader are notified of it, and of its end', async () => {
    const name = async ({ id }: Person) => (await boss().get(`/users/${id}`)).expect(200).nickname
    ;(await boss().put(`/users/${leader.id}/substitute`, { userId: substitute.id, ...now })).expect(200)
    ;(await world.as(leader).delete('/users/me/substitute')).expect(200)
    ;(await world.as(leader).delete('/users/me/substitute')).expect(200)
    const days = `from ${now.from} to ${now.until}`
    expect(await inbox(leader)).toEqual([['SUBSTITUTE_NAMED', `${await name(substitute)} decides for you ${days}`]])
    expect(await inbox(substitute)).toEqual([
      ['SUBSTITUTE_DISMISSED', `The substitution between you and ${await name(leader)} has ended`],
      ['SUBSTITUTE_FOR', `You decide for ${await name(leader)} ${days}`],
    ])
    expect((await world.as(leader).get('/users/me')).expect(200).substitute).toBeNull()
  })

  test('is named by their present name, and then as a former member', async () => {
    const days = { from: '2026-01-01', until: '2999-12-31' }
    ;(await boss().put(`/users/${leader.id}/substitute`, { userId: substitute.id, ...days })).expect(200)
    const told = async (language = 'en') =>
      (await world.as(leader).get('/notifications', { 'accept-language': language }))
        .expect(200)
        .map(({ title }: any) => title)
    ;(await boss().put(`/users/${substitute.id}`, { nickname: 'Renamed' })).expect(200)
    expect(await told()).toEqual(['Renamed decides for you from 2026-01-01 to 2999-12-31'])
    ;(await boss().delete(`/users/${substitute.id}`)).expect(200)
    expect((await told()).at(-1)).toBe('former member decides for you from 2026-01-01 to 2999-12-31')
    expect((await told('zh-CN')).at(-1)).toBe('2026-01-01 至 2999-12-31 期间由 前成员 代您审批')
  })

  test('passes nothing on to their own substitute', async () => {
    const third = await world.givenUser(tenant)
    ;(await nameBy(leader, substitute.id)).expect(200)
    ;(await nameBy(substitute, third.id)).expect(200)
    const request = await submitted()
    expect([await todo(substitute), await todo(third)]).toEqual([[request.id], []])
    ;(await approve(third, request)).expect(404, 'NOT_FOUND')
  })

  test('does not decide the second step', async () => {
    ;(await boss().put('/users/me/substitute', { userId: substitute.id, ...now })).expect(200)
    const request = await submitted()
    ;(await approve(leader, request)).expect(200)
    expect(await todo(substitute)).toEqual([])
    ;(await approve(substitute, request)).expect(404, 'NOT_FOUND')
  })

  test('is replaced by another one', async () => {
    const other = await world.givenUser(tenant)
    ;(await nameBy(leader, substitute.id)).expect(200)
    ;(await nameBy(leader, other.id)).expect(200)
    const request = await submitted()
    expect([await todo(substitute), await todo(other)]).toEqual([[], [request.id]])
    expect((await inbox(substitute))[0][0]).toBe('SUBSTITUTE_DISMISSED')
  })
})

interface Case {
  what: string
  days?: typeof now
  /** what happens after the substitute was named */
  happens?: () => Promise<unknown>
  /** who decides happens: the leader, the substitute, the administrators */
  decide: ('leader' | 'substitute' | 'administrator')[]
  /** the leader is notified that nobody decides for them any more, and once more of what waits */
  tells?: true
}
const disable = (person: () => Person) => async () =>
  (await boss().put(`/users/${person().id}`, { status: 'disabled' })).expect(200)
const takeRight = (person: () => Person) => async () => {
  const roleIds = [await world.roleId(tenant, await world.givenRole(tenant, ['project:list']))]
  ;(await boss().put(`/users/${person().id}`, { roleIds })).expect(200)
}
const CASES: Case[] = [
  { what: 'both are there', decide: ['leader', 'substitute'] },
  { what: 'the first day is still to come', days: later, decide: ['leader'] },
  { what: 'the last day is over', days: past, decide: ['leader'] },
  { what: 'the substitute is disabled', happens: disable(() => substitute), decide: ['leader'], tells: true },
  {
    ...{ what: 'the substitute loses the permission', happens: takeRight(() => substitute) },
    ...{ decide: ['leader'], tells: true },
  },
  {
    what: 'the role of the substitute loses the permission',
    happens: async () => {
      const role = await world.roleId(tenant, await world.givenRole(tenant, ['approval:action']))
      ;(await boss().put(`/users/${substitute.id}`, { roleIds: [role] })).expect(200)
      ;(await boss().put(`/roles/${role}`, { permissionIds: [] })).expect(200)
    },
    decide: ['leader'],
    tells: true,
  },
  {
    what: 'the substitute is deleted',
    happens: async () => (await boss().delete(`/users/${substitute.id}`)).expect(200),
    decide: ['leader'],
    tells: true,
  },
  { what: 'the leader is disabled', happens: disable(() => leader), decide: ['administrator'] },
  { what: 'the leader loses the permission', happens: takeRight(() => leader), decide: ['administrator'] },
  {
    what: 'the department is closed',
    happens: async () => {
      const form = { name: 'Sales', code: 'S', leaderId: leader.id, status: 'disabled' }
      ;(await boss().put(`/departments/${department.id}`, form)).expect(200)
    },
    decide: ['administrator'],
  },
  {
    what: 'the substitution was ended',
    happens: async () => (await world.as(leader).delete('/users/me/substitute')).expect(200),
    decide: ['leader'],
  },
]

test('a substitution keeps nobody from being deleted where the plug-in is off, and then decides nothing', async () => {
  ;(await nameBy(leader, substitute.id)).expect(200)
  ;(await nameBy(applicant, leader.id)).expect(200)
  const without = await startProcess({ databaseUrl: world.databaseUrl, env: { PLUGINS: 'none' } })
  onTestFinished(async () => void (await without.end('SIGTERM')))
  for (const { id } of [substitute, applicant])
    (await without.remote.as(tenant.administrator.token).delete(`/users/${id}`)).expect(200)

  const request = await submitted(await world.givenUser(tenant))
  expect(await todo(leader)).toEqual([request.id])
  ;(await world.as(leader).delete('/users/me/substitute')).expect(200)
  const draft = { username: 'back', password: 'Long-enough-2031' }
  ;(await boss().post(`/users/${applicant.id}/restore`, draft)).expect(201)
  expect(await world.look.rows('select * from substitutes where tenant_id = $1', [tenant.id])).toEqual([])
})

describe('who decides a request that waits, if', () => {
  test.each(CASES)('$what: $decide', async ({ days = now, happens, decide, tells }) => {
    ;(await nameBy(leader, substitute.id, days)).expect(200)
    const request = await submitted()
    await happens?.()
    const told = (await world.as(leader).get('/auth/me')).status === 200 ? await inbox(leader) : []
    expect(told.filter(([type]: any) => type === 'SUBSTITUTE_DISMISSED')).toHaveLength(tells ? 1 : 0)
    if (tells) expect(await pending(leader)).toEqual([request.id, request.id])

    const people = { leader, substitute, administrator: tenant.administrator }
    const waits = await Promise.all(
      Object.entries(people).map(async ([name, person]) => {
        const answer = await world.as(person).get('/approvals?scope=todo')
        return answer.status === 200 && answer.body.data.length === 1 ? [name] : []
      }),
    )
    expect(waits.flat()).toEqual(decide)
    const listed = await world.as(substitute).get('/approvals')
    const isListed = listed.status === 200 && listed.body.data.length === 1
    expect((await world.as(substitute).get(`/approvals/${request.id}`)).status === 200).toBe(isListed)
    const seen = (await boss().get(`/approvals/${request.id}`)).expect(200)
    expect(seen.substituteId).toBe(decide.includes('substitute') ? substitute.id : null)
    for (const [name, person] of Object.entries(people))
      if (!decide.includes(name as 'leader'))
        expect((await approve(person, request)).status).toBeGreaterThanOrEqual(400)
    ;(await approve(people[decide.at(-1)!], request)).expect(200)
  })

  test('the substitute made it: only the leader', async () => {
    ;(await nameBy(leader, substitute.id)).expect(200)
    const own = await submitted(substitute)
    expect([await todo(substitute), await todo(leader)]).toEqual([[], [own.id]])
    ;(await approve(substitute, own)).expect(403, 'NOT_CURRENT_APPROVER')
    expect(await pending(substitute)).toEqual([])
  })

  test('the substitute is an administrator: both steps, each as what they are', async () => {
    ;(await nameBy(leader, tenant.administrator.id)).expect(200)
    const request = await submitted()
    expect(await todo(tenant.administrator)).toEqual([request.id])
    expect((await approve(tenant.administrator, request)).expect(200).steps[0]).toMatchObject({
      decidedForId: leader.id,
    })
    const { status, steps } = (await approve(tenant.administrator, request)).expect(200)
    expect([status, steps[1].decidedForId]).toEqual(['APPROVED', null])
  })
})

describe('the first day', () => {
  const begins = () =>
    world.look.rows(`update substitutes set starts_at = now() - interval '1 second' where tenant_id = $1`, [tenant.id])

  test('brings a notification of what waits, once', async () => {
    ;(await nameBy(leader, substitute.id, later)).expect(200)
    const waiting = await submitted()
    await runJob(world.database, substitutions)
    expect(await pending(substitute)).toEqual([])

    await begins()
    const early = await submitted()
    expect(await todo(substitute)).toEqual([early.id, waiting.id])
    await runJob(world.database, substitutions)
    await runJob(world.database, substitutions)
    const late = await submitted()

    expect(await pending(substitute)).toEqual([waiting.id, early.id, late.id])
  })

  test('that was begun already is not announced again when the last day changes', async () => {
    const waiting = await submitted()
    ;(await nameBy(leader, substitute.id)).expect(200)
    ;(await nameBy(leader, substitute.id, { ...now, until: dayIn(4) })).expect(200)
    await runJob(world.database, substitutions)
    expect(await pending(substitute)).toEqual([waiting.id])
  })

  test.skipIf(!isHere('settings'))(
    "is a day of the tenant's time zone, also of one that the tenant chooses later",
    async () => {
      const sql = 'select starts_at as at from substitutes where tenant_id = $1'
      const startOf = async () => (await world.look.rows<{ at: Date }>(sql, [tenant.id]))[0]!.at.toISOString()
      ;(await boss().put('/tenant/settings', { timeZone: 'Asia/Tokyo' })).expect(200)
      ;(await nameBy(leader, substitute.id, later)).expect(200)
      expect(await startOf()).toBe(new Date(`${later.from}T00:00+09:00`).toISOString())

      ;(await boss().put('/tenant/settings', { timeZone: 'UTC' })).expect(200)
      await runJob(world.database, substitutions)
      expect(await startOf()).toBe(`${later.from}T00:00:00.000Z`)
    },
  )

  test.skipIf(!isHere('settings'))(
    'begins again if it lies ahead in a time zone that the tenant chooses later',
    async () => {
      const setZone = async (timeZone: string) => {
        ;(await boss().put('/tenant/settings', { timeZone })).expect(200)
        await runJob(world.database, substitutions)
      }
      // A day begins 25 hours later there, so one that is today in the first zone is always ahead in the second.
      const [early, late] = ['Pacific/Kiritimati', 'Pacific/Pago_Pago']
      const from = new Intl.DateTimeFormat('en-CA', { timeZone: early, dateStyle: 'short' }).format()
      await setZone(early)
      ;(await nameBy(leader, substitute.id, { from, until: dayIn(4) })).expect(200)
      await setZone(late)
      const waiting = await submitted()
      expect(await pending(substitute)).toEqual([])

      await begins()
      await runJob(world.database, substitutions)
      expect(await pending(substitute)).toEqual([waiting.id])
    },
  )

  test.each<[string, () => Promise<unknown>]>([
    ['administrators', async () => (await boss().put(`/users/${substitute.id}`, { status: 'active' })).expect(200)],
    ['the operator', () => restored(substitute)],
  ])('of a substitute whom %s enabled again brings what waits, too', async (_, enable) => {
    ;(await nameBy(leader, substitute.id)).expect(200)
    await disable(() => substitute)()
    const waiting = await submitted()
    await enable()
    const again = (await boss().get(`/approvals/${waiting.id}`)).expect(200)
    expect(again.substituteId).toBe(substitute.id)
    const told = `select count(*) from notifications where tenant_id = $1 and receiver_id = $2 and resource_id = $3
      and type = 'APPROVAL_PENDING'`
    expect(await world.look.count(told, [tenant.id, substitute.id, waiting.id])).toBe(1)
  })
})

/** As `atrium admin restore` does it. */
const restored = ({ username }: Person) =>
  world.inTenant(tenant, (tx) => restoreAdministrator(tx, username, ROLE.tenantAdmin))

describe('refusals', () => {
  test('name what is wrong with the person or the days', async () => {
    const blind = await world.givenUser(tenant, await world.givenRole(tenant, ['project:list']))
    const gone = await world.givenUser(tenant)
    ;(await boss().delete(`/users/${gone.id}`)).expect(200)
    for (const { id } of [gone, world.admin]) (await nameBy(leader, id)).expect(404, 'NOT_FOUND')
    ;(await nameBy(leader, blind.id)).expect(400, 'SUBSTITUTE_CANNOT_DECIDE')
    ;(await nameBy(leader, substitute.id, { from: now.until, until: now.from })).expect(400, 'DATE_ORDER')
    expect((await world.as(leader).get('/users/me')).expect(200).substitute).toBeNull()
  })

  test('come to those who would name a substitute for a person with more rights', async () => {
    const manager = await world.givenUser(tenant, await world.givenRole(tenant, ['user:update', 'approval:action']))
    const theirs = await world.givenUser(tenant, await world.givenRole(tenant, ['approval:action']))
    const set = (id: number) => world.as(manager).put(`/users/${id}/substitute`, { userId: substitute.id, ...now })
    ;(await set(tenant.administrator.id)).expect(403, 'PERMISSION_DENIED')
    ;(await set(leader.id)).expect(403, 'PERMISSION_DENIED')
    ;(await set(theirs.id)).expect(200)
    ;(await world.as(leader).put(`/users/${theirs.id}/substitute`, { userId: leader.id, ...now })).expect(403)
  })
})

describe('passing a waiting step to somebody else', () => {
  const reassign = (request: { id: number }, userId: number, by: Person = tenant.administrator, headers = {}) =>
    world.as(by).post(`/approvals/${request.id}/reassign`, { userId }, headers)

  test('makes them the one who decides, also when the department gets another leader', async () => {
    const request = await submitted()
    expect(await todo(leader)).toEqual([request.id])
    const passed = (await reassign(request, substitute.id)).expect(200)

    const waiting = { version: 2, status: 'PENDING', currentStep: 1, waitingFor: { approverId: substitute.id } }
    expect(passed).toMatchObject(waiting)
    expect(passed.steps[0]).toMatchObject({ approverId: substitute.id, reassigned: true })
    expect([await todo(leader), await todo(substitute)]).toEqual([[], [request.id]])
    expect(await pending(substitute)).toEqual([request.id])
    const history = `select count(*) from activities where tenant_id = $1 and subject_type = 'approval' and subject_id = $2
      and action = 'APPROVAL_REASSIGNED' and old_value = $3 and new_value = $4 and version = 2`
    expect(await world.look.count(history, [tenant.id, request.id, String(leader.id), String(substitute.id)])).toBe(1)

    const next = await world.givenUser(tenant)
    const form = { name: 'Sales', code: 'S', leaderId: next.id }
    ;(await boss().put(`/departments/${department.id}`, form)).expect(200)
    expect([await todo(next), await todo(substitute)]).toEqual([[], [request.id]])
    ;(await boss().put(`/departments/${department.id}`, { ...form, leaderId: null })).expect(200)
    ;(await approve(substitute, request)).expect(200)
  })

  test('works if the department is closed, and then not only administrators decide', async () => {
    const request = await submitted()
    const form = { name: 'Sales', code: 'S', leaderId: leader.id, status: 'disabled' }
    ;(await boss().put(`/departments/${department.id}`, form)).expect(200)
    ;(await reassign(request, substitute.id)).expect(200)
    expect([await todo(substitute), await todo(tenant.administrator)]).toEqual([[request.id], []])
    ;(await approve(substitute, request)).expect(200)
  })

  test('is for administrators, and for requests that wait at the first step', async () => {
    const request = await submitted()
    ;(await reassign(request, substitute.id, leader)).expect(403, 'PERMISSION_DENIED')
    ;(await reassign(request, applicant.id)).expect(400, 'APPROVER_CANNOT_DECIDE')
    ;(await reassign(request, world.admin.id)).expect(404, 'NOT_FOUND')
    const stale = { 'if-match': `"${request.id}-0"` }
    ;(await reassign(request, substitute.id, tenant.administrator, stale)).expect(412, 'PRECONDITION_FAILED')
    ;(await approve(leader, request)).expect(200)
    ;(await reassign(request, substitute.id)).expect(409, 'ILLEGAL_TRANSITION')
  })

  test('keeps its new approver from being deleted until it is handed over', async () => {
    const request = await submitted()
    ;(await reassign(request, substitute.id)).expect(200)
    const { details } = (await boss().delete(`/users/${substitute.id}`)).expect(409, 'USER_IN_USE')
    expect(details).toMatchObject([{ path: 'approvals', id: request.id }])
    const heir = await world.givenUser(tenant)
    ;(await boss().post(`/users/${substitute.id}/hand-over`, { toUserId: heir.id })).expect(200)
    ;(await boss().delete(`/users/${substitute.id}`)).expect(200)
    expect(await todo(heir)).toEqual([request.id])
    ;(await approve(heir, request)).expect(200)
  })
})

test('requests are found by words, department, applicant and time', async () => {
  const one = await submitted()
  const other = await submitted(substitute)
  const found = async (query: string) => (await boss().get(`/approvals?${query}`)).expect(200).map(({ id }: any) => id)
  expect(await found(`keyword=${encodeURIComponent(one.title.toUpperCase())}`)).toEqual([one.id])
  expect(await found(`applicantId=${substitute.id}`)).toEqual([other.id])
  expect(await found(`departmentId=${department.id}`)).toEqual([other.id, one.id])
  expect(await found('departmentId=987654321')).toEqual([])
  expect(await found(`from=${one.createdAt}&to=${one.createdAt}`)).toContain(one.id)
  expect(await found('to=2020-01-01T00:00:00Z')).toEqual([])
  // Filters show nobody what they may not see.
  expect((await world.as(leader).get(`/approvals?scope=mine&applicantId=${applicant.id}`)).expect(200)).toEqual([])
})
