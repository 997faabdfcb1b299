import { afterAll, beforeAll, expect, test } from 'vitest'
import { openWorld, type Person, type Tenant, type World } from '../support/world.ts'

/** The people of a company go one after the other, each in the same way, and nothing waits for somebody who cannot act. */
let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world?.close())

const DAYS = { from: '2026-01-01', until: '2999-12-31' }
let counter = 0

interface Company extends Tenant {
  people: Record<string, Person>
}

/** Three leaders with their substitutes, one of whom leads too; everybody asks everybody and has a draft, and two invite. */
async function givenCompany(): Promise<Company> {
  const tenant = await world.givenTenant()
  const boss = world.as(tenant.administrator)
  const inviter = await world.givenRole(tenant, ['user:invite', 'project:list', 'approval:create', 'approval:action'])
  const [deputy, clerk, leader, substitute, chief, applicant] = await Promise.all(
    ['tenant-admin', inviter, 'user', 'user', 'user', 'user'].map((role) => world.givenUser(tenant, role)),
  )
  const people = { clerk, substitute, deputy, chief, leader, applicant } as Record<string, Person>
  const departments = []
  for (const { id } of [leader!, substitute!, chief!]) {
    const form = { name: 'D', code: `D-${++counter}`, leaderId: id }
    departments.push((await boss.post('/departments', form)).expect(201))
  }
  for (const [person, by] of [
    [leader!, substitute!],
    [substitute!, clerk!],
    [chief!, deputy!],
  ] as const)
    (await world.as(person).put('/users/me/substitute', { userId: by.id, ...DAYS })).expect(200)
  for (const person of Object.values(people)) {
    const own = world.as(person)
    for (const { id: departmentId } of departments) {
      const draft = { type: 'leave', title: `Request ${++counter}`, departmentId }
      const { id } = (await own.post('/approvals', draft)).expect(201)
      const key = { 'idempotency-key': `everybody-${counter}` }
      ;(await own.post(`/approvals/${id}/submit`, undefined, key)).expect(200)
    }
    ;(await own.post('/approvals', { type: 'leave', title: 'A draft' })).expect(201)
  }
  for (const by of [clerk!, deputy!]) {
    const draft = { email: `guest-${++counter}@example.com`, roleIds: [await roleIdOf(inviter)] }
    ;(await world.as(by).post('/invitations', draft)).expect(201)
  }
  return { ...tenant, people }
}

/** Roles that tests make have codes of their own. */
async function roleIdOf(code: string): Promise<number> {
  const [role] = await world.look.rows<{ id: number }>('select id::float8 from roles where code = $1', [code])
  return role!.id
}

type Way = (company: Company, person: Person) => Promise<void>
const WAYS: Record<string, Way> = {
  async disabled({ administrator }, { id }) {
    ;(await world.as(administrator).put(`/users/${id}`, { status: 'disabled' })).expect(200)
  },
  async demoted(company, { id }) {
    const roleIds = [await roleIdOf(await world.givenRole(company, ['project:list']))]
    ;(await world.as(company.administrator).put(`/users/${id}`, { roleIds })).expect(200)
  },
  async deleted(company, { id }) {
    const boss = world.as(company.administrator)
    const answer = await boss.delete(`/users/${id}`)
    if (answer.status === 200) return
    answer.expect(409, 'USER_IN_USE')
    const heir = await world.givenUser(company)
    ;(await boss.post(`/users/${id}/hand-over`, { toUserId: heir.id })).expect(200)
    ;(await boss.delete(`/users/${id}`)).expect(200)
  },
}
WAYS['deleted, and restored'] = async (company, person) => {
  await WAYS.deleted!(company, person)
  const again = { username: `${person.username}-again`, password: 'a long and winding road' }
  ;(await world.as(company.administrator).post(`/users/${person.id}/restore`, again)).expect(201)
}

/** Whom everything that is open waits for, as the service says it to an administrator, and whether they can act and know. */
async function expectNobodyIsWaitedForInVain({ id: tenantId, administrator }: Company, after: string) {
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
  const [deciders, inviters] = [await able('approval:action'), await able('user:invite')]
  const told = async (type: string) =>
    (
      await world.look.rows<{ receiver: number; about: number }>(
        `select receiver_id::float8 as receiver, resource_id::float8 as about from notifications where tenant_id = $1 and type = $2`,
        [tenantId, type],
      )
    ).map(({ receiver, about }) => `${receiver} of ${about}`)

  const [gone] = await world.look.rows<{ ids: number[] }>(
    'select array_agg(id::float8) as ids from users where tenant_id = $1 and deleted_at is not null',
    [tenantId],
  )
  const requests = (await boss.get('/approvals?pageSize=1000')).expect(200)
  const pending = await told('APPROVAL_PENDING')
  for (const { id, status, waitingFor, substituteId, applicantId } of requests) {
    if (status === 'DRAFT') expect(gone!.ids ?? [], `${after}: draft ${id}`).not.toContain(applicantId)
    if (status !== 'PENDING') continue
    const waits = [waitingFor.approverId ?? administrator.id, ...(substituteId ? [substituteId] : [])]
    for (const one of waits) {
      expect(deciders, `${after}: request ${id}`).toContain(one)
      expect(pending, `${after}: request ${id}`).toContain(`${one} of ${id}`)
    }
  }
  for (const { id, status, invitedById } of (await boss.get('/invitations')).expect(200))
    if (status === 'pending') expect(inviters, `${after}: invitation ${id}`).toContain(invitedById)
  const dismissed = await told('SUBSTITUTE_DISMISSED')
  const substitutions = await world.look.rows<{ person: number; substitute: number }>(
    'select user_id::float8 as person, substitute_id::float8 as substitute from substitutes where tenant_id = $1',
    [tenantId],
  )
  for (const { person, substitute } of substitutions)
    if (!deciders.has(substitute)) expect(dismissed, after).toContain(`${person} of ${substitute}`)
}

test.each(Object.entries(WAYS))('nothing waits for nobody when the people of a company are %s', async (_, leave) => {
  const company = await givenCompany()
  await expectNobodyIsWaitedForInVain(company, 'nobody')
  for (const [name, person] of Object.entries(company.people)) {
    await leave(company, person)
    await expectNobodyIsWaitedForInVain(company, name)
  }
})
