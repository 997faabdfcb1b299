import { expect, test } from 'vitest'
import type { Answer } from '#test/client.ts'
import { formOf } from '#test/form.ts'
import { meet } from '#test/interleave.ts'
import { AT_ONCE, atOnce, FEW, ROUNDS } from '#test/races.ts'
import { openWorld, type Tenant } from '#test/world.ts'

const LEFT = 3

let counter = 0
const tiny = { people: 1 + LEFT, projects: LEFT, fileBytes: LEFT * 4 }
const world = await openWorld({ env: { PLANS: JSON.stringify({ tiny, single: { projects: 1 } }) } })

async function givenTiny(plan = 'tiny'): Promise<Tenant> {
  const tenant = await world.givenTenant()
  ;(await world.as(world.admin).put(`/tenants/${tenant.id}`, { plan, registration: 'open' })).expect(200)
  return tenant
}

type Send = (tenant: Tenant, at: number) => Promise<Answer>
const register: Send = ({ administrator, code }, at) => {
  const person = { username: `raced-${++counter}`, password: 'a long and winding road' }
  // Two kinds of commands, which lock different rows before the quota.
  return at % 2
    ? world.as(administrator).post('/users', person)
    : world.anyone.post('/auth/register', { ...person, email: 'raced@example.com', tenantCode: code })
}
const make: Send = ({ administrator }, at) =>
  world.as(administrator).post('/projects', { name: 'Raced', code: `R-${at}` }, { 'idempotency-key': `raced-${at}` })
const upload: Send = ({ administrator }) => {
  const form = formOf([{ filename: 'raced.txt', content: 'four' }])
  return world.as(administrator).send({ method: 'POST', url: '/api/v1/files', ...form })
}

test.each([
  ['projects', make, LEFT, AT_ONCE],
  ['people', register, 1 + LEFT, FEW],
  ['fileBytes', upload, LEFT * 4, AT_ONCE],
] as const)(
  `of many %s at the same time exactly as many fit as the plan has left, ${ROUNDS} times over`,
  async (quota, send, used, times) => {
    for (let round = 0; round < ROUNDS; round++) {
      const tenant = await givenTiny()
      const answers = await atOnce((at) => send(tenant, at), times)
      for (const answer of answers.filter(({ status }) => status !== 201)) answer.expect(409, 'QUOTA_EXCEEDED')
      expect(answers.filter(({ status }) => status === 201)).toHaveLength(LEFT)
      expect((await world.as(tenant.administrator).get('/tenant/usage')).expect(200)[quota].used).toBe(used)
    }
  },
)

test('the last place is taken once by two who meet on purpose', async () => {
  const tenant = await givenTiny('single')
  await meet(world, [() => make(tenant, 1), 201], [() => make(tenant, 2), 409, 'QUOTA_EXCEEDED'])
})
