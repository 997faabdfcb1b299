import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { clientOf } from '#test/client.ts'
import { openInstance } from '#test/instance.ts'
import { obeying } from '#test/obedient.ts'
import { until } from '#test/patience.ts'
import { isHere } from '#test/plugins.ts'
import { givenPassword } from '#test/quick-hash.ts'
import { AT_ONCE, atOnce, expectOneWinner, ROUNDS } from '#test/races.ts'
import { addFactor, begunCode, codeOf } from '#test/second-factor.ts'
import { openWorld, type Person } from '#test/world.ts'
import { hashRecoveryCode } from '../../second-factor.rules.ts'

const PASSWORD = 'a long and winding road'

const world = await openWorld()
const replica = await openInstance(world.databaseUrl)
/** of both processes, without a token */
const anyone = [world.anyone, clientOf(replica.app, {})] as const
const tenant = await world.givenTenant()

const givenPerson = async (where = tenant) => givenPassword(world, await world.givenUser(where), PASSWORD)
const signIn = (at: number, { username }: Person, where = tenant, code?: string) =>
  anyone[at % 2]!.post('/auth/login', { username, password: PASSWORD, tenantCode: where.code, code })

test(`of ${AT_ONCE} sign-ins with one code of the app, or one for recovery, exactly one enters, ${ROUNDS} times over`, async () => {
  const person = await givenPerson()
  const phone = await addFactor(world.as(person), PASSWORD)
  for (let round = 0; round < ROUNDS; round++) {
    await world.look.rows("update second_factors set used_steps = '{}' where user_id = $1", [person.id])
    const recovery = `0123456789ABC${String(round).padStart(3, '0')}`
    await world.look.rows('insert into recovery_codes (tenant_id, user_id, code_hash) values ($1, $2, $3)', [
      tenant.id,
      person.id,
      hashRecoveryCode(recovery, tenant.id, person.id),
    ])
    // Of the next step, so that it lives for a minute at least.
    for (const code of [codeOf(phone.secret, 1), recovery])
      expectOneWinner(await atOnce((at) => signIn(at, person, tenant, code)), 200, 'INVALID_CREDENTIALS', 401)
  }
})

test(`${AT_ONCE} commands of one person under keys of their own do not wait for each other in a circle, ${ROUNDS} times over`, async () => {
  const person = await world.givenUser(tenant)
  for (let round = 0; round < ROUNDS; round++) {
    // The claim of a key refers to the person, whom the command then locks.
    const answers = await atOnce((at) =>
      world.as(person).post('/auth/second-factor', undefined, { 'idempotency-key': `begin-${round}-${at}` }),
    )
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
  }
})

test(`no sign-in without a code comes after the second factor, ${ROUNDS} times over`, async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const person = await givenPerson()
    const me = world.as(person)
    const code = await begunCode(me, PASSWORD)
    const [confirmed, ...answers] = await Promise.all([
      sleep(round % 10).then(() => obeying(() => me.post('/auth/second-factor/confirm', { code }))),
      ...Array.from({ length: 16 }, (_, at) => sleep(at).then(() => obeying(() => signIn(at, person)))),
    ])
    confirmed.expect(200)
    for (const { status, error } of answers)
      if (status !== 200) expect(error!.type).toMatch(/^(SECOND_FACTOR_REQUIRED|INVALID_CREDENTIALS)$/)
    const late = await world.look.rows(
      'select 1 from sessions s join users u on u.tenant_id = s.tenant_id and u.id = s.user_id where u.id = $1 and s.created_at > u.second_factor_at',
      [person.id],
    )
    expect(late).toEqual([])
    ;(await signIn(round, person)).expect(401, 'SECOND_FACTOR_REQUIRED')
  }
})

test.skipIf(!isHere('settings'))(
  `a setting holds for every session that was opened beside it, ${ROUNDS} times over`,
  async () => {
    const other = await world.givenTenant()
    await addFactor(world.as(other.administrator))
    const people = await Promise.all(Array.from({ length: 8 }, () => givenPerson(other)))
    for (let round = 0; round < ROUNDS; round++) {
      const secondFactor = round % 2 === 0 ? 'required' : 'optional'
      const [saved, ...opened] = await Promise.all([
        obeying(() => world.as(other.administrator).put('/tenant/settings', { secondFactor })),
        ...people.map((person, at) => obeying(() => signIn(at, person, other))),
      ])
      saved.expect(200)
      const wanted = secondFactor === 'required' ? 403 : 200
      for (const [at, answer] of opened.entries()) {
        const holder = { ...people[at]!, token: answer.expect(200).accessToken }
        for (const service of [world, replica])
          await until(async () => (await service.as(holder).get('/projects')).status === wanted)
      }
    }
  },
)
