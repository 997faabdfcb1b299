import { beforeEach, describe, expect, test } from 'vitest'
import { givenPassword } from '#test/quick-hash.ts'
import { shifted } from '#test/shifted.ts'
import { openWorld, type Person, type Tenant } from '#test/world.ts'

const PASSWORD = 'a long and winding road'
let tenant: Tenant
const world = await openWorld()
beforeEach(async () => {
  tenant = await world.givenTenant()
})

const givenPerson = async () => givenPassword(world, await world.givenUser(tenant), PASSWORD)
const signIn = async ({ username }: Person) =>
  (await world.anyone.post('/auth/login', { username, password: PASSWORD, tenantCode: tenant.code })).expect(200)
const refresh = ({ refreshToken }: { refreshToken: string }) => world.anyone.post('/auth/refresh', { refreshToken })
const lasting = async (sessionDays: number) =>
  (await world.as(tenant.administrator).put('/tenant/settings', { sessionDays })).expect(200)

describe("a person's sessions", () => {
  test('last as long as the tenant has set, from their next continuation on', async () => {
    /** How many days are left of the session that the person opened last. */
    const days = async ({ id }: Person): Promise<number> => {
      const [session] = await world.look.rows(
        `select round(extract(epoch from expires_at - clock_timestamp()) / 86400)::int as days
           from sessions where user_id = $1 order by id desc limit 1`,
        [id],
      )
      return session!.days
    }
    await lasting(30)
    const person = await givenPerson()
    const session = await signIn(person)
    expect(await days(person)).toBe(30)
    await lasting(2)
    ;(await refresh(session)).expect(200)
    expect(await days(person)).toBe(2)
  })

  test('end where they last shorter, although they last longer again before anybody has tried them', async () => {
    const signedIn = async () => signIn(await givenPerson())
    /** The sessions and the settings are so many days older, as the database's clock sees them; the administrator stays. */
    async function passDays(count: number): Promise<void> {
      for (const [table, columns, key] of [
        ['sessions', ['continued_at', 'expires_at'], `user_id <> ${tenant.administrator.id} and tenant_id`],
        ['refresh_tokens', ['used_at', 'expires_at'], 'tenant_id'],
        ['tenants', ['sessions_since'], 'id'],
      ] as const) {
        const earlier = columns.map((column) => `${column} = ${shifted(column, `-${count} days`)}`)
        await world.look.rows(`update ${table} set ${earlier} where ${key} = $1`, [tenant.id])
      }
    }
    await lasting(30)
    const [unused, tried] = [await signedIn(), await signedIn()]
    await passDays(3)
    await lasting(2)
    ;(await refresh(tried)).expect(401, 'INVALID_REFRESH_TOKEN')
    const late = await signedIn()
    await passDays(1)
    await lasting(30)

    for (const session of [unused, tried]) (await refresh(session)).expect(401, 'INVALID_REFRESH_TOKEN')
    ;(await refresh(late)).expect(200)
  })
})
