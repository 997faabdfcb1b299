import { describe, expect, test } from 'vitest'
import { openWorld } from '../support/world.ts'

const world = await openWorld()
const tenant = await world.givenTenant()

describe('the directory of people', () => {
  const find = async (keyword?: string) =>
    (
      await world
        .as(tenant.administrator)
        .get(`/users/directory${keyword === undefined ? '' : `?keyword=${encodeURIComponent(keyword)}`}`)
    ).expect(200)

  test('shows the active people of the tenant to everybody in it, and nothing but their names and pictures', async () => {
    const [active, disabled] = [await world.givenUser(tenant), await world.givenUser(tenant)]
    await world.look.rows(`update users set status = 'disabled' where id = $1`, [disabled.id])
    const nobody = await world.givenUser(tenant, await world.givenRole(tenant, []))

    const people = (await world.as(nobody).get('/users/directory')).expect(200)

    expect(people).toContainEqual({
      id: active.id,
      username: active.username,
      nickname: expect.stringMatching(/^Person/),
      avatarUrl: null,
      status: 'active',
    })
    const ids = people.map(({ id }: any) => id)
    expect(ids).toEqual(expect.arrayContaining([tenant.administrator.id, nobody.id]))
    expect(ids).not.toContain(disabled.id)
    expect(ids).not.toContain(world.admin.id)
  })

  test('is searched by user name and nickname, literally and without regard to case', async () => {
    const user = await world.givenUser(tenant)
    await world.look.rows(`update users set nickname = '100%_Zoë\\' where id = $1`, [user.id])
    for (const keyword of ['zoë', '%', '_z', '\\', user.username.toUpperCase()])
      expect((await find(keyword)).map(({ id }: any) => id)).toEqual([user.id])
    for (const keyword of ['100_', '%%', "'", 'nobody at all']) expect(await find(keyword)).toEqual([])
    expect(await find('  ')).toEqual(await find())
  })

  test('never shows more than fifty', async () => {
    await world.look.rows(
      `insert into users (tenant_id, username, password_hash) select $1, 'crowd-' || n, '-' from generate_series(1, 60) n`,
      [tenant.id],
    )
    expect(await find('crowd')).toHaveLength(50)
  })

  test('refuses a keyword of more than 100 characters', async () => {
    ;(await world.as(tenant.administrator).get(`/users/directory?keyword=${'x'.repeat(101)}`)).expect(
      400,
      'VALIDATION_FAILED',
    )
  })
})
