import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { hold } from '#test/interleave.ts'
import { obedient } from '#test/obedient.ts'
import { until } from '#test/patience.ts'
import { holderOf } from '#test/servers.ts'
import { openWorld, type Person, type Tenant } from '#test/world.ts'
import { searchables } from '../../../atrium/ports/searchable.ts'
import { openScope } from '../../../data/tx/open-scope.ts'
import { search as searchDirectly } from '../search.actions.ts'
import { indexed } from './indexed.ts'

/** The search, as people use it: over HTTP, and with the service's own job. */
const world = await openWorld()
let tenant: Tenant
let boss: Person
beforeEach(async () => {
  tenant = await world.givenTenant()
  boss = tenant.administrator
})

const search = async (person: Person, q: string, query = ''): Promise<any[]> =>
  (await obedient(world.as(person)).get(`/search?q=${encodeURIComponent(q)}${query}`)).expect(200)
const titlesOf = async (person: Person, q: string, query = '') =>
  (await search(person, q, query)).map(({ title }) => title)
/** What is found, once the index is as the log is. */
async function found(person: Person, q: string, query = ''): Promise<string[]> {
  await indexed(world, tenant)
  return titlesOf(person, q, query)
}

describe('a search', () => {
  test('finds a task by the beginning of its last word, titles before texts, newer before older', async () => {
    const project = await world.givenProject(boss)
    await world.givenTask(boss, project, { title: 'Budget', description: 'For the lighthouse' })
    await world.givenTask(boss, project, { title: 'The lighthouse keeper' })
    const last = await world.givenTask(boss, project, { title: 'Paint the Lighthouse', description: 'White, and red' })
    await indexed(world, tenant)
    expect(await titlesOf(boss, 'lighth')).toEqual(['Paint the Lighthouse', 'The lighthouse keeper', 'Budget'])
    expect(await titlesOf(boss, 'lighthouse pa')).toEqual(['Paint the Lighthouse'])
    expect(await titlesOf(boss, '"the lighthouse" ke')).toEqual(['The lighthouse keeper'])
    expect(await titlesOf(boss, '"lighthouse the"')).toEqual([])
    const [first] = await search(boss, 'paint')
    const { id, projectId, updatedAt } = last
    const shown = { type: 'task', key: null, title: 'Paint the Lighthouse', excerpt: 'White, and red' }
    expect(first).toEqual({ ...shown, id, projectId, updatedAt })
  })

  test('finds each kind of thing, and of those only the kinds that it is asked for', async () => {
    await world.givenProject(boss, { name: 'Marmalade' })
    const project = await world.givenProject(boss)
    await world.givenTask(boss, project, { title: 'Marmalade' })
    ;(await world.as(boss).post('/content/articles', { title: 'Marmalade', content: ['x'] })).expect(201)
    ;(await world.as(boss).post('/approvals', { type: 'purchase', title: 'Marmalade' })).expect(201)
    ;(await world.as(boss).put('/users/me', { nickname: 'Marmalade' })).expect(200)
    await indexed(world, tenant)
    const types = (await search(boss, 'marmalade')).map(({ type }) => type)
    expect(types.toSorted()).toEqual(['approval', 'article', 'person', 'project', 'task'])
    const some = (await search(boss, 'marmalade', '&types=task,person')).map(({ type }) => type)
    expect(some.toSorted()).toEqual(['person', 'task'])
    expect(await search(boss, 'marmalade', '&limit=1')).toHaveLength(1)
    ;(await world.as(boss).get('/search?q=x&types=tree')).expect(400)
    ;(await world.as(boss).get('/search?q=%20')).expect(400)
    ;(await world.as(boss).get('/search?q=x&limit=51')).expect(400)
  })

  test('waits for the searches of before of the same person, as they type and in several tabs', async () => {
    for (const name of ['project', 'second']) await world.givenProject(boss, { name: `Marzipan ${name}` })
    ;(await world.as(boss).post('/content/articles', { title: 'Marzipan', content: ['x'] })).expect(201)
    ;(await world.as(boss).put('/users/me', { nickname: 'Marzipan' })).expect(200)
    await indexed(world, tenant)
    const release = await hold(await holderOf(world.databaseUrl, tenant.id), 'lock table search_entries')
    const ask = () => obedient(world.as(boss)).get('/search?q=marzipan')
    const asked = Array.from({ length: 8 }, ask)
    await until(() => world.database.stats().searchesWaiting > 5)
    await release()
    for (const answer of await Promise.all(asked)) expect(answer.expect(200)).toHaveLength(4)
  })

  test('finds what a change says, and no more what it has replaced', async () => {
    const project = await world.givenProject(boss)
    const task = await world.givenTask(boss, project, { title: 'Oranges' })
    expect(await found(boss, 'oranges')).toEqual(['Oranges'])
    ;(await world.as(boss).put(`/tasks/${task.id}`, { title: 'Lemons', version: task.version })).expect(200)
    expect(await found(boss, 'lemons')).toEqual(['Lemons'])
    expect(await titlesOf(boss, 'oranges')).toEqual([])
  })

  test('leaves out what was deleted, and its words leave the index', async () => {
    const article = (await world.as(boss).post('/content/articles', { title: 'Quinces', content: ['x'] })).expect(201)
    expect(await found(boss, 'quinces')).toEqual(['Quinces'])
    ;(await world.as(boss).delete(`/content/articles/${article.id}`)).expect(200)
    expect(await titlesOf(boss, 'quinces')).toEqual([])
    await indexed(world, tenant)
    expect(await world.look.count(`select count(*) from search_words where word = 'quinces'`)).toBe(0)
    expect(await world.look.count(`select count(*) from search_entries where 'quinces' = any (title)`)).toBe(0)
  })

  test.each([
    ['Chinese', '关于项目会议的纪要', '会议'],
    ['German', 'Größe der Straße', 'GRÖSSE'],
    ['Turkish', 'IŞIK planı', 'ışık'],
    ['Greek', 'Η ΟΔΟΣ', 'οδοσ'],
    ['Arabic', 'خطة مُحَمَّد', 'محمد'],
    ['Thai', 'วันนี้มีประชุม', 'ชุม'],
    ['Japanese', 'ﾃﾞｰﾀの移行', 'データ'],
    ['English', 'The ＣＡＦÉ', 'cafe'],
  ])('finds what people type in %s', async (_, title, q) => {
    await world.givenTask(boss, await world.givenProject(boss), { title })
    expect(await found(boss, q)).toHaveLength(1)
  })

  test('reads long texts while other requests go on', async () => {
    const project = await world.givenProject(boss)
    for (const _ of Array(10)) await world.givenTask(boss, project, { title: '会议', description: '项目纪要' })
    await indexed(world, tenant)
    await world.look.rows(`update tasks set description = repeat('纪项目要', 5000) where tenant_id = $1`, [tenant.id])
    const tasks = searchables.all().find(({ type }) => type === 'task')!
    const { list } = tasks
    let [turns, isOver] = [0, false]
    const count = () => {
      if (isOver) return
      turns++
      setImmediate(count)
    }
    const spy = vi.spyOn(tasks, 'list').mockImplementation(async (...range) => {
      const things = await list(...range)
      setImmediate(count)
      return things
    })
    onTestFinished(() => spy.mockRestore())
    const user = { id: boss.id, isAdministrator: true, permissions: new Set(['project:list']) }
    const wanted = { q: '项目纪', types: ['task'], limit: 20 }
    expect(await searchDirectly(openScope(world.database, tenant.id), user as never, wanted)).toEqual([])
    isOver = true
    expect(turns, 'that others had after the last read of the database').toBeGreaterThan(0)
  })

  test('finds nothing by signs alone', async () => {
    expect(await search(boss, '— … "')).toEqual([])
  })
})
