import { beforeAll, expect, test } from 'vitest'
import { openWorldWithTenant } from '../support/world-with-tenant.ts'

/** A dot above a letter that has one cannot be seen: nobody takes a name by adding it. */
const { world, tenant, boss } = await openWorldWithTenant()
beforeAll(async () => {
  await world.setRegistration(tenant, 'open')
})

const PASSWORD = 'correct horse'
const DOTTED = ['admi\u0307n', 'ADMİN', 'adm\u0131\u0307n', 'adm\u0456\u0307n', 'admi\u0307\u0307n']
let counter = 0
const post = (path: string, body: object) =>
  world.as(boss).post(path, body, { 'idempotency-key': `dotted-${++counter}` })

test.each([
  ['a user name', 'USERNAME_TAKEN', (username: string) => post('/users', { username, password: PASSWORD })],
  ['the code of a project', 'PROJECT_CODE_TAKEN', (code: string) => post('/projects', { name: 'P', code })],
  ['the code of a department', 'DEPARTMENT_CODE_TAKEN', (code: string) => post('/departments', { name: 'D', code })],
  ['the name of a category', 'CATEGORY_TAKEN', (name: string) => post('/content/categories', { name })],
])('%s is taken with and without the dot', async (_, type, make) => {
  ;(await make('admin')).expect(201)
  for (const name of DOTTED) (await make(name)).expect(409, type)
})

test('the code of a role gets a number if it looks like that of the reserved one', async () => {
  for (const [at, code] of DOTTED.entries())
    expect((await post('/roles', { name: 'R', code })).expect(201).code).toMatch(new RegExp(`-${at + 2}$`))
})

test('a stranger gets neither the user name nor the title of an administrator', async () => {
  const register = (username: string) =>
    world.anyone.post('/auth/register', {
      ...{ username, password: PASSWORD, email: `stranger-${++counter}@example.com`, tenantCode: tenant.code },
    })
  for (const name of DOTTED) (await register(name)).expect(409, 'USERNAME_TAKEN')
  ;(await register('Tenant Admi\u0307nistrator')).expect(409)
  const user = world.as(await world.givenUser(tenant))
  const { status } = await user.put('/users/me', { nickname: 'Tenant Admi\u0307nistrator' })
  expect(status).toBe(409)
})

test('a person signs in with the name as it is, dot and all', async () => {
  ;(await post('/users', { username: 'İbrahim', password: PASSWORD })).expect(201)
  for (const username of ['İbrahim', 'İbrahim'.normalize('NFD')])
    (await world.anyone.post('/auth/login', { username, password: PASSWORD, tenantCode: tenant.code })).expect(200)
})
