import { describe, expect, test } from 'vitest'
import { type Answer, nextOf } from '../support/client.ts'
import { openWorldWithTenant } from '../support/world-with-tenant.ts'

/** The people of a tenant, for everyone in it. */
const { world, tenant } = await openWorldWithTenant()
const me = await world.givenUser(tenant)
await world.look.rows(
  `insert into users (tenant_id, username, nickname, password_hash)
   select $1, 'colleague-' || n, 'Colleague ' || n, '-' from generate_series(1, 70) n`,
  [tenant.id],
)

const get = (query = '') => world.as(me).get(`/users/directory${query}`)
const follow = (answer: Answer) => world.as(me).get(nextOf(answer)!)
const idsOf = (answer: Answer): number[] => answer.expect(200).map(({ id }: any) => id)
const active = async () => {
  const sql = `select id::float8 from users where tenant_id = $1 and status = 'active' order by id`
  return (await world.look.rows<{ id: number }>(sql, [tenant.id])).map(({ id }) => id)
}

describe('the directory', () => {
  test('is complete by its links, and answers for a hundred ids in one request, and not for one more', async () => {
    const first = await get()
    expect(idsOf(first)).toHaveLength(50)
    const second = await follow(first)
    expect(second.headers.link).toBeUndefined()
    expect([...idsOf(first), ...idsOf(second)]).toEqual(await active())
    expect(idsOf(await get('?pageSize=1000'))).toEqual(await active())

    const ids = Array.from({ length: 100 }, (_, at) => at + 1)
    const answer = await get(`?ids=${ids.join(',')}`)
    answer.expect(200)
    expect(answer.headers.link).toBeUndefined()
    for (const wrong of [[...ids, 101].join(','), '0', '1,,2', 'x', '1;2', '9999999999999999'])
      (await get(`?ids=${wrong}`)).expect(400, 'VALIDATION_FAILED')
    expect(idsOf(await get('?ids='))).toHaveLength(50)
  })

  test('says who somebody is, or was', async () => {
    const [disabled, gone] = [await world.givenUser(tenant), await world.givenUser(tenant)]
    const boss = world.as(tenant.administrator)
    ;(await boss.put(`/users/${disabled.id}`, { status: 'disabled' })).expect(200)
    ;(await boss.delete(`/users/${gone.id}`)).expect(200)
    const stranger = await world.givenUser(await world.givenTenant())

    const asked = [gone.id, me.id, disabled.id, stranger.id, 987_654_321, me.id]
    const shown = { nickname: expect.any(String), avatarUrl: null }
    expect((await get(`?ids=${asked.join(',')}`)).expect(200)).toEqual([
      { ...shown, id: me.id, username: me.username, status: 'active' },
      { ...shown, id: disabled.id, username: disabled.username, status: 'disabled' },
      { ...shown, id: gone.id, username: 'former member', nickname: null, status: 'deleted' },
    ])
    expect(idsOf(await get(`?keyword=${disabled.username}`))).toEqual([])
  })
})

test('the members of a department are complete by their links', async () => {
  const boss = world.as(tenant.administrator)
  const { id } = await boss.create('/departments', { name: 'All', code: 'ALL' })
  await world.look.rows(
    `insert into department_members (tenant_id, user_id, department_id, created_at)
     select tenant_id, id, $2, now() from users where tenant_id = $1 and nickname like 'Colleague%'`,
    [tenant.id, id],
  )
  const first = await boss.get(`/departments/${id}/members?pageSize=40`)
  expect(idsOf(first)).toHaveLength(40)
  expect(idsOf(await follow(first))).toHaveLength(30)
  expect((await boss.get(`/departments/${id}/members`)).headers.link).toBeUndefined()
})

test('a blog that names not all of its categories says so, to browsers too', async () => {
  const named = { 'x-tenant-code': tenant.code, origin: 'http://localhost:5173' }
  const fill = (from: number, to: number) =>
    world.look.rows(
      `insert into categories (tenant_id, name, slug, created_at, updated_at)
       select $1, 'C' || n, 'c' || n, now(), now() from generate_series($2::int, $3::int) n`,
      [tenant.id, from, to],
    )
  await fill(1, 500)
  const whole = await world.anyone.get('/public/blog?keyword=x', named)
  expect(whole.expect(200).categories).toHaveLength(501)
  expect(whole.headers['x-truncated']).toBeUndefined()
  await fill(501, 501)
  const cut = await world.anyone.get('/public/blog?keyword=y', named)
  expect(cut.expect(200).categories).toHaveLength(501)
  expect(cut.headers['x-truncated']).toBe('categories')
  expect(cut.headers['access-control-expose-headers']).toContain('X-Truncated')
})
