import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Answer } from '#test/client.ts'
import { formOf } from '#test/form.ts'
import { obeying } from '#test/obedient.ts'
import { openWorld, type Tenant, type World } from '#test/world.ts'

/** RACE_ROUNDS=100 for the full run. */
const ROUNDS = Number(process.env.RACE_ROUNDS ?? 2)
const AT_ONCE = 64
/** Each of them hashes a password. */
const PEOPLE_AT_ONCE = 16
const LEFT = 3

let world: World
let counter = 0
beforeAll(async () => {
  const tiny = { people: 1 + LEFT, projects: LEFT, fileBytes: LEFT * 4 }
  world = await openWorld({ env: { PLANS: JSON.stringify({ tiny }), REGISTRATION_LIMIT: '0' } })
})
afterAll(() => world?.close())

async function givenTiny(): Promise<Tenant> {
  const tenant = await world.givenTenant()
  ;(await world.as(world.admin).put(`/tenants/${tenant.id}`, { plan: 'tiny', registration: 'open' })).expect(200)
  return tenant
}
const atOnce = (send: (at: number) => Promise<Answer>, times = AT_ONCE) =>
  Promise.all(Array.from({ length: times }, (_, at) => obeying(() => send(at))))
async function expectExactlyLeft(tenant: Tenant, quota: string, answers: Answer[], used: number) {
  for (const answer of answers.filter(({ status }) => status !== 201)) answer.expect(409, 'QUOTA_EXCEEDED')
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(LEFT)
  expect((await world.as(tenant.administrator).get('/tenant/usage')).expect(200)[quota].used).toBe(used)
}

describe(`of many at the same time exactly as many fit as the plan has left, ${ROUNDS} times over:`, () => {
  test('projects', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const tenant = await givenTiny()
      const answers = await atOnce((at) =>
        world
          .as(tenant.administrator)
          .post('/projects', { name: 'Raced', code: `R-${at}` }, { 'idempotency-key': `raced-${at}` }),
      )
      await expectExactlyLeft(tenant, 'projects', answers, LEFT)
    }
  })

  test('people, registered and added', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const tenant = await givenTiny()
      // Two kinds of commands, which lock different rows before the quota.
      const answers = await atOnce((at) => {
        const person = { username: `raced-${++counter}`, password: 'a long and winding road' }
        return at % 2
          ? world.as(tenant.administrator).post('/users', person)
          : world.anyone.post('/auth/register', { ...person, email: 'raced@example.com', tenantCode: tenant.code })
      }, PEOPLE_AT_ONCE)
      await expectExactlyLeft(tenant, 'people', answers, 1 + LEFT)
    }
  })

  test('files', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const tenant = await givenTiny()
      const answers = await atOnce(() =>
        world.as(tenant.administrator).send({
          method: 'POST',
          url: '/api/v1/files',
          ...formOf([{ filename: 'raced.txt', content: 'four' }]),
        }),
      )
      await expectExactlyLeft(tenant, 'fileBytes', answers, LEFT * 4)
    }
  })
})
