import { describe, expect, test } from 'vitest'
import type { Answer, Client } from '../support/client.ts'
import { openWorldWithTenant } from '../support/world-with-tenant.ts'

/** A form that was opened before somebody else saved theirs does not write over it, whatever it is a form of. */
let counter = 0
const { world, tenant } = await openWorldWithTenant()
const boss = world.as(tenant.administrator)

const etagOf = (answer: Answer) => String(answer.headers.etag)
const unique = (word: string) => `${word}-${++counter}`
const made = async (client: Client, path: string, draft: object) => {
  const { id } = await client.create(path, draft)
  return `${path}/${id}`
}

interface Form {
  /** the address of one that was just made */
  create(): Promise<string>
  /** where it is read, if different from where it is changed */
  readAt?: string
  form(value: string): object
  client?(): Client
  deletes?: false
}
const admin = () => world.as(world.admin)
const named = (name: string) => ({ name })
/** Projects and tasks are in `if-match.test.ts`. */
const FORMS: Record<string, Form> = {
  department: {
    create: () => made(boss, '/departments', { name: 'D', code: unique('D') }),
    form: (name) => ({ name, code: unique('D') }),
  },
  user: {
    create: () => made(boss, '/users', { username: unique('user'), password: 'a long pass phrase' }),
    form: (nickname) => ({ nickname }),
  },
  role: { create: () => made(boss, '/roles', { code: unique('role'), name: 'R' }), form: named },
  menu: { create: () => made(admin(), '/menus', { name: 'M' }), form: named, client: admin },
  category: {
    create: () => made(boss, '/content/categories', { name: unique('C'), slug: unique('c') }),
    form: (description) => ({ description }),
  },
  article: { create: () => made(boss, '/content/articles', { title: 'A' }), form: (title) => ({ title }) },
  profile: { create: async () => '/users/me', form: (nickname) => ({ nickname }), deletes: false },
  tenant: {
    create: async () => `/tenants/${(await world.givenTenant()).id}`,
    form: named,
    client: admin,
    deletes: false,
  },
  organization: {
    create: async () => `/organizations/${(await boss.read('/organizations/current')).id}`,
    readAt: '/organizations/current',
    form: named,
    deletes: false,
  },
  'section of the portal': {
    create: async () => '/content/portal/features',
    readAt: '/public/features',
    form: (title) => [{ id: 1, title, description: 'D', icon: 'i' }],
    deletes: false,
  },
}

describe.each(Object.entries(FORMS))(
  'the form of a %s',
  (_, { create, readAt, form, client = () => boss, deletes }) => {
    const read = (path: string) => client().get(readAt ?? path)
    const save = (path: string, ifMatch: string | undefined, value = unique('value')) =>
      client().put(path, form(value), ifMatch === undefined ? {} : { 'if-match': ifMatch })

    test('is saved by anyone who has read it last, and by nobody who has read it before', async () => {
      const path = await create()
      const before = etagOf(await read(path))
      expect(before).toMatch(/^"[\x21\x23-\x7e]+"$/)
      expect(etagOf(await read(path))).toBe(before)

      const saved = await save(path, before)

      saved.expect(200)
      expect(etagOf(saved)).not.toBe(before)
      expect(etagOf(await read(path))).toBe(etagOf(saved))
      const shown = (await read(path)).data
      ;(await save(path, before)).expect(412, 'PRECONDITION_FAILED')
      expect((await read(path)).data).toEqual(shown)
      ;(await save(path, etagOf(saved))).expect(200)
    })

    test('is saved by a star, by one tag of a list, and if nobody asks', async () => {
      const path = await create()
      ;(await save(path, '*')).expect(200)
      ;(await save(path, `"other", ${etagOf(await read(path))}`)).expect(200)
      ;(await save(path, undefined)).expect(200)
      ;(await save(path, `W/${etagOf(await read(path))}`)).expect(412, 'PRECONDITION_FAILED')
    })

    if (deletes === false) return

    test('deletes what was read, and nothing that has changed since', async () => {
      const path = await create()
      const remove = (ifMatch: string) => client().delete(path, { 'if-match': ifMatch })
      const before = etagOf(await read(path))
      const after = etagOf(await save(path, before))
      ;(await remove(before)).expect(412, 'PRECONDITION_FAILED')
      ;(await remove('nonsense')).expect(400, 'VALIDATION_FAILED')
      // It was found at its Location.
      await client().read(path)
      ;(await remove(after)).expect(200)
    })
  },
)

test('an old form of a department, sent with the version that it was read with, does not clear the leader who was just set', async () => {
  const leader = await world.givenUser(tenant)
  const old = await boss.create('/departments', { name: 'Sales', code: unique('SALES') })
  const path = `/departments/${old.id}`
  const saved = (await boss.put(path, { ...old, leaderId: leader.id })).expect(200)
  expect([old.version, saved.version]).toEqual([0, 1])
  const { details } = (await boss.put(path, { ...old, name: 'Sales and more' })).expect(409, 'VERSION_CONFLICT')
  expect(details).toEqual([{ path: 'version', expected: 0, actual: 1, message: expect.any(String) }])
  expect(await boss.read(path)).toMatchObject({ name: 'Sales', leaderId: leader.id, version: 1 })
  const tree: any[] = await boss.read('/departments')
  expect(tree.find(({ id }) => id === old.id)).toMatchObject({ version: 1 })
})

test('a user counts every change of the form, and an old form changes nothing', async () => {
  const old = await boss.create('/users', { username: unique('user'), password: 'a long pass phrase' })
  const path = `/users/${old.id}`
  for (const version of [0, 1])
    expect((await boss.put(path, { nickname: 'One', version })).expect(200).version).toBe(version + 1)

  const { details } = (await boss.put(path, { status: 'disabled', version: 1 })).expect(409, 'VERSION_CONFLICT')

  expect(details).toEqual([{ path: 'version', expected: 1, actual: 2, message: expect.any(String) }])
  const now = { nickname: 'One', status: 'active', version: 2 }
  expect((await boss.read(`/users?keyword=${old.username}`)).items).toMatchObject([now])
})

test('members who come and go do not make the form of their department stale', async () => {
  const path = await made(boss, '/departments', { name: 'D', code: unique('D') })
  const etag = etagOf(await boss.get(path))
  ;(await boss.put(`${path}/members/${(await world.givenUser(tenant)).id}`)).expect(200)
  ;(await boss.put(path, { name: 'D', code: unique('D') }, { 'if-match': etag })).expect(200)
})

test('departments lie 64 levels deep at most, made so or moved so', async () => {
  const make = (parentId: number | null) => boss.post('/departments', { name: 'L', code: unique('L'), parentId })
  const chain: number[] = []
  for (let at = 0; at < 64; at++) chain.push((await make(chain.at(-1) ?? null)).expect(201).id)
  ;(await make(chain.at(-1)!)).expect(409, 'DEPARTMENTS_TOO_DEEP')
  const pair = (await make(null)).expect(201)
  ;(await make(pair.id)).expect(201)
  const move = (parentId: number) => boss.put(`/departments/${pair.id}`, { name: 'P', code: unique('P'), parentId })
  ;(await move(chain[62]!)).expect(409, 'DEPARTMENTS_TOO_DEEP')
  ;(await move(chain[61]!)).expect(200)
  await boss.read('/departments')
})

test('prices are set by anyone who may set prices; writing is not enough', async () => {
  const [writer, clerk] = [
    await world.givenUser(tenant, ['content:update']),
    await world.givenUser(tenant, ['content:update', 'price:update']),
  ]
  const plans = await boss.read('/public/pricing')
  const { details } = (await world.as(writer).put('/content/portal/pricing', plans)).expect(403, 'PERMISSION_DENIED')
  expect(details[0]).toMatchObject({ permission: 'price:update' })
  ;(await world.as(clerk).put('/content/portal/pricing', plans)).expect(200)
  const questions = await boss.read('/public/faq')
  ;(await world.as(writer).put('/content/portal/faq', questions)).expect(200)
})
