import { setTimeout as sleep } from 'node:timers/promises'
import { beforeEach, expect, test } from 'vitest'
import { report } from '#test/invariants.ts'
import { runJob } from '#test/jobs.ts'
import { chance, ROUNDS, SEED } from '#test/races.ts'
import { openWorld, type Person, type Tenant } from '#test/world.ts'
import { substitutions } from '../../begin-substitutions.ts'

let tenant: Tenant
let leader: Person
let colleague: Person
const world = await openWorld()
beforeEach(async () => {
  tenant = await world.givenTenant()
  ;[leader, colleague] = await Promise.all([world.givenUser(tenant), world.givenUser(tenant)])
})

const boss = () => world.as(tenant.administrator)
const days = { from: '2026-01-01', until: '2999-12-31' }
const nameSubstitute = (userId: number) => world.as(leader).put('/users/me/substitute', { userId, ...days })
async function soon<T>(act: () => Promise<T>): Promise<T> {
  await sleep(chance() * 4)
  return act()
}

test('a person who is deleted while they are named as a substitute is none', async () => {
  const outcomes = { named: 0, gone: 0 }
  for (let round = 0; round < ROUNDS; round++) {
    const substitute = await world.givenUser(tenant)
    const [named, deleted] = await Promise.all([
      soon(() => nameSubstitute(substitute.id)),
      soon(() => boss().delete(`/users/${substitute.id}`)),
    ])
    deleted.expect(200)
    if (named.status !== 200) named.expect(404, 'NOT_FOUND')
    outcomes[named.status === 200 ? 'named' : 'gone']++
    expect((await world.as(leader).get('/users/me')).expect(200).substitute).toBeNull()
  }
  report('deletion against a substitute', [], { seed: SEED, rounds: ROUNDS, ...outcomes })
})

test('a substitute is notified of each request once, whether it comes before or after the first day', async () => {
  const department = (await boss().post('/departments', { name: 'D', code: 'D', leaderId: leader.id })).expect(201)
  const substitute = await world.givenUser(tenant)
  for (let round = 0; round < ROUNDS; round++) {
    ;(await nameSubstitute(substitute.id)).expect(200)
    await world.look.rows('update substitutes set begun = false where tenant_id = $1', [tenant.id])
    const [made] = await Promise.all([
      soon(() => world.givenRequest(colleague, department)),
      soon(() => runJob(world.database, substitutions)),
      soon(() => runJob(world.database, substitutions)),
    ])
    const told = `select count(*) from notifications n where tenant_id = $1 and receiver_id = $2
      and resource_id = $3 and type = 'APPROVAL_PENDING'`
    await runJob(world.database, substitutions)
    await expect.poll(() => world.look.count(told, [tenant.id, substitute.id, made.id])).toBe(1)
    ;(await world.as(leader).post(`/approvals/${made.id}/approve`)).expect(200)
    ;(await world.as(leader).delete('/users/me/substitute')).expect(200)
  }
})
