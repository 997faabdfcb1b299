import { expect, test } from 'vitest'
import { openWorld } from '../support/world.ts'

/** A text that may be empty comes back as it was sent: '' as '', null as null. */
const world = await openWorld()
const boss = world.as(world.admin)
const project = await world.givenProject(world.admin)

let counter = 0
const unique = () => `empty-${++counter}`
const key = () => ({ 'idempotency-key': unique() })
const TEXTS: [string, () => string, () => object, string][] = [
  ['a project', () => '/projects', () => ({ name: 'P', code: unique() }), 'description'],
  ['a task', () => `/projects/${project.id}/tasks`, () => ({ title: 'T' }), 'description'],
  ['a role', () => '/roles', () => ({ name: 'R', code: unique() }), 'description'],
  ['a permission', () => '/permissions', () => ({ name: 'P', code: `${unique()}:x` }), 'description'],
  ['a menu', () => '/menus', () => ({ name: 'M' }), 'icon'],
  ['a user', () => '/users', () => ({ username: unique(), password: 'a long pass phrase' }), 'realName'],
  ['an approval', () => '/approvals', () => ({ type: 'LEAVE', title: 'A' }), 'businessKey'],
  ['an article', () => '/content/articles', () => ({ title: 'A' }), 'summary'],
]

test.each(TEXTS)('%s', async (_, path, draft, field) => {
  const made = async (value: string | null) => (await boss.create(path(), { ...draft(), [field]: value }, key()))[field]
  expect([await made(''), await made('  '), await made(null)]).toEqual(['', '', null])
})

test('an empty description in place of none is no change in the history of a task', async () => {
  const { id } = await boss.create(`/projects/${project.id}/tasks`, { title: 'T' })
  expect((await boss.put(`/tasks/${id}`, { version: 0, description: '' })).expect(200).description).toBe('')
  expect(await boss.read(`/tasks/${id}/activities`)).toMatchObject([{ action: 'TASK_CREATED' }])
})
