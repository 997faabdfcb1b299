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

  test('clamp what is asked for, and filter', async () => {
    expect((await read('/analytics/overview?days=0', world.admin)).trend).toHaveLength(1)
    expect((await read('/analytics/overview?days=abc', world.admin)).trend).toHaveLength(7)
    expect(await read('/log/login?page=0&pageSize=1000', person)).toMatchObject({ page: 1, pageSize: 100, total: 50 })
    expect(
      (await read('/log/login?keyword=MEI', person)).items.every((row: any) => row.username === 'mei.tanaka'),
    ).toBe(true)
    expect(
      (await read('/log/error?status=pending&pageSize=100', person)).items.every(
        (row: any) => row.status === 'pending',
      ),
    ).toBe(true)
    expect(await read('/log/operation?page=99', person)).toMatchObject({ items: [], total: 60 })
    const found = async (path: string, field: string) => (await read(path, person)).items.map((row: any) => row[field])
    expect(await found('/config/list?keyword=SITE.', 'key')).toEqual([
      'site.name',
      'site.timeZone',
      'site.language',
      'site.support',
    ])
    expect(await found('/dict/list?keyword=task', 'type')).toEqual(['task_status', 'task_priority'])
    expect(await found('/notice/list?keyword=password&type=notice', 'id')).toEqual([4])
    expect(await found('/log/error?keyword=chunk&status=', 'type')).toEqual(Array(10).fill('ResourceError'))
  })
})
