import { beforeEach, describe, expect, test } from 'vitest'
import { until } from '#test/patience.ts'
import { openWorld, type Person, type Tenant } from '#test/world.ts'

const world = await openWorld({ env: { MAIL_LIMIT: '5' } })
let greedy: Tenant
let other: Tenant
beforeEach(async () => {
  ;[greedy, other] = [await world.givenTenant(), await world.givenTenant()]
})
const times = <T>(count: number, make: (at: number) => T) => Array.from({ length: count }, (_, at) => make(at))

describe('mail to one address', () => {
  let counter = 0
  let victim: string
  beforeEach(() => {
    victim = `Victim-${++counter}@example.com`
  })
  const invite = (email: string, by: Person) => world.as(by).post('/invitations', { email })
  const again = (id: number, by: Person) => world.as(by).post(`/invitations/${id}/resend`)

  test('is sent five times an hour for one person, however they ask and however they write it', async () => {
    const boss = greedy.administrator
    const { id } = (await invite(victim, boss)).expect(201)
    for (let time = 1; time < 5; time++) (await again(id, boss)).expect(200)

    const refused = await again(id, boss)
    refused.expect(429, 'RATE_LIMITED')
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(3000)
    expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(3600)
    ;(await invite(victim.toLowerCase().replace('@', '+another@'), boss)).expect(429, 'RATE_LIMITED')
    expect(await world.look.count('select count(*) from mails where lower(recipient) = lower($1)', [victim])).toBe(5)

    ;(await invite(`not-${victim}`, boss)).expect(201)
    ;(await invite(victim, other.administrator)).expect(201)
    await world.look.rows(
      `update mails set created_at = created_at - interval '1 hour' where tenant_id = $1 and recipient = $2`,
      [greedy.id, victim],
    )
    ;(await again(id, boss)).expect(200)
  })

  test('is sent twenty times an hour for one tenant, whoever asks, and a link for a new password all the same', async () => {
    const role = await world.givenRole(greedy, ['user:invite'])
    const inviters = await Promise.all(times(5, () => world.givenUser(greedy, role)))
    const owner = await world.givenUser(greedy)
    await world.look.rows('update users set email = $1, email_key = lower($1) where id = $2', [victim, owner.id])
    const draft = { email: victim, roleIds: [await world.roleId(greedy, role)] }
    const { id } = await world.as(greedy.administrator).create('/invitations', draft)
    for (const by of inviters.slice(0, 4)) for (let time = 0; time < 5; time++) await again(id, by)
    expect(await world.look.count('select count(*) from mails where recipient = $1', [victim])).toBe(20)

    ;(await again(id, inviters[4]!)).expect(429, 'RATE_LIMITED')
    const ask = (username: string) => world.anyone.post('/auth/password-resets', { username, tenantCode: greedy.code })
    const answers = [await ask(owner.username), await ask('nobody-of-this-name')]
    for (const answer of answers) expect(answer.expect(200)).toBeNull()
    await until(() =>
      world.look.count(`select count(*) from mails where user_id = $1`, [owner.id]).then((n) => n === 1),
    )
  })
})
