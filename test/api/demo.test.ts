import { readFileSync, writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { openWorld, type Person } from '../support/world.ts'

const GOLDEN = new URL('./demo.golden.json', import.meta.url)
const PATHS = [
  '/dashboard/stats',
  '/analytics/overview',
  '/analytics/overview?days=90',
  '/data/overview',
  '/log/login',
  '/log/operation?pageSize=100',
  '/log/error',
  '/config/list',
  '/dept/list',
  '/dict/list',
  '/notice/list',
  '/monitor/online',
  '/monitor/server',
]

const world = await openWorld()
const person = await world.givenUser({ id: 1 })

const read = async (path: string, who: Person) => (await world.as(who).get(path)).expect(200)

describe('the figures of the admin pages', () => {
  test('are the golden ones, byte for byte', async () => {
    const answers: Record<string, unknown> = {}
    for (const path of PATHS) answers[path] = await read(path, world.admin)
    const text = `${JSON.stringify(answers, null, 1)}\n`
    if (process.env.UPDATE_GOLDEN) writeFileSync(GOLDEN, text)
    expect(text).toBe(readFileSync(GOLDEN, 'utf8'))
  })

  test('need a permission where the specification says so', async () => {
    for (const path of ['/analytics/overview', '/data/overview'])
      (await world.as(person).get(path)).expect(403, 'PERMISSION_DENIED')
    await read('/dashboard/stats', person)
    ;(await world.anyone.get('/dashboard/stats')).expect(401, 'UNAUTHENTICATED')
  })

  test.each<[path: string, figures: object]>([
    ['/log/login?page=0&pageSize=1000', { page: 1, pageSize: 100, total: 50 }],
    ['/log/operation?page=99', { items: [], total: 60 }],
    ['/log/login?keyword=MEI', { total: 6, items: Array(6).fill({ username: 'mei.tanaka' }) }],
    ['/log/error?status=pending&pageSize=100', { total: 13, items: Array(13).fill({ status: 'pending' }) }],
    ['/log/error?keyword=chunk&status=', { items: Array(10).fill({ type: 'ResourceError' }) }],
    [
      '/config/list?keyword=SITE.',
      { items: ['name', 'timeZone', 'language', 'support'].map((name) => ({ key: `site.${name}` })) },
    ],
    ['/dict/list?keyword=task', { items: [{ type: 'task_status' }, { type: 'task_priority' }] }],
    ['/notice/list?keyword=password&type=notice', { items: [{ id: 4 }] }],
  ])('%s is clamped and filtered', async (path, figures) => {
    expect(await read(path, person)).toMatchObject(figures)
  })

  test.each([
    ['0', 1],
    ['abc', 7],
  ])('of %s days are of days within bounds', async (days, shown) => {
    expect((await read(`/analytics/overview?days=${days}`, world.admin)).trend).toHaveLength(shown)
  })
})
