import { readFileSync, writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { openWorld } from '../support/world.ts'

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
const read = (path: string) => world.as(world.admin).read(path)

describe('the figures of the admin pages', () => {
  test('are the golden ones, byte for byte', async () => {
    const answers: Record<string, unknown> = {}
    for (const path of PATHS) answers[path] = await read(path)
    const text = `${JSON.stringify(answers, null, 1)}\n`
    if (process.env.UPDATE_GOLDEN) writeFileSync(GOLDEN, text)
    expect(text).toBe(readFileSync(GOLDEN, 'utf8'))
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
    ['/analytics/overview?days=0', { trend: { length: 1 } }],
    ['/analytics/overview?days=abc', { trend: { length: 7 } }],
  ])('%s is clamped and filtered', async (path, figures) => {
    expect(await read(path)).toMatchObject(figures)
  })
})
