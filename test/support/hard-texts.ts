import { randomUUID } from 'node:crypto'
import { defaultPortal } from '../../src/domains/portal/default-portal.ts'
import { SECTION_NAMES } from '../../src/domains/portal/portal.schemas.ts'
import { defaultsOfPlugins } from '../../tools/of-plugins.ts'
import { formOf } from './form.ts'
import type { Person, Tenant, World } from './world.ts'

/** Harmless to the service, which only stores it; a page that takes it for markup calls `complain`. */
const MARKUP = '<b><img src=x onerror=complain()>'
/** Without a blank, from right to left twice, in emoji of several characters, and in Chinese. */
const WORDS = ['Wörter', 'مرحبا', 'שלום', '👩🏽‍💻', '部门名称']
/** The name in an address. */
export const WIDE = 'w'.repeat(64)

let turn = 0
/** A text of as many characters as a field takes, of the next kind of word, and with markup at its end. */
export function hard(most = 255): string {
  const word = WORDS[turn++ % WORDS.length]!
  const end = most < 2 * MARKUP.length - 2 ? `${turn}` : `${turn}${MARKUP}`
  return word.repeat(Math.floor((most - end.length) / word.length)) + end
}

/** The same with other texts: numbers and words that have a meaning stay. */
function hardened(value: unknown, name = ''): unknown {
  if (typeof value === 'string') return name === 'currency' ? value : hard(64)
  if (Array.isArray(value)) return value.slice(0, 2).map((one) => hardened(one))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, hardened(part, key)]))
}

/** What a plug-in adds: the default export of `test/hard-texts.ts` in its folder. */
export type Fill = (into: {
  world: World
  tenant: Tenant
  /** Makes something as the administrator of the tenant. */
  made(path: string, draft: object): Promise<any>
}) => Promise<void>

/** One of everything in a tenant, as each page of the console shows it, and each text of people as hard to show as may be. */
export async function fillWithHardTexts(world: World, tenant: Tenant, user: Person): Promise<void> {
  const boss = world.as(tenant.administrator)
  const made = async (path: string, draft: object, by = boss) =>
    (await by.post(path, draft, { 'idempotency-key': randomUUID() })).expect(201)
  const put = async (path: string, change?: object, by = boss) => (await by.put(path, change)).expect(200)
  const other = await world.givenUser(tenant)
  const everybody = [...(await times(2, () => world.givenUser(tenant))), other, user, tenant.administrator]
  for (const { id } of everybody) await put(`/users/${id}`, { nickname: hard(64), realName: hard(64), phone: hard(32) })
  const names = `username = rpad(username, 64, 'w'), email = $2 || id || '@example.org'`
  await world.look.rows(`update users set ${names} where tenant_id = $1`, [tenant.id, WIDE])
  await world.look.rows(`update sessions set user_agent = $1 where tenant_id = $2`, [hard(), tenant.id])
  for (const { id } of [tenant, { id: 1 }])
    await put(`/tenants/${id}`, { name: hard(128), plan: hard(32) }, world.as(world.admin))
  const organization = (await boss.get('/organizations/current')).expect(200)
  await put(`/organizations/${organization.id}`, { name: hard(128) })
  const roles = await times(3, () => made('/roles', { name: hard(64), description: hard() }))
  const usual = (await boss.get('/roles')).expect(200).items.find(({ code }: any) => code === 'user')
  await put(`/users/${other.id}`, { roleIds: [usual, ...roles].map(({ id }) => id) })
  await times(2, () => made('/menus', { name: hard(64) }, world.as(world.admin)))
  let parentId: number | null = null
  for (const leaderId of [...Array(7).fill(null), ...everybody.map(({ id }) => id)])
    parentId = (await made('/departments', { name: hard(128), code: hard(64), parentId, leaderId })).id

  await times(3, async () => {
    const article = await made('/content/articles', { title: hard(), content: [hard()], status: 'published' })
    await made(`/blog/${article.id}/comments`, { content: hard() }, world.as(user))
  })
  for (const section of SECTION_NAMES)
    await put(`/content/portal/${section}`, hardened(defaultPortal('en')[section]) as object)
  const visitor = { email: `${WIDE}@example.org`, name: hard(64), message: hard() }
  ;(await world.anyone.post('/public/contact', visitor, { 'x-tenant-code': tenant.code })).expect(201)

  const project = await world.givenProject(user, { name: hard(160), code: hard(64) })
  await times(3, async () => {
    const upload = formOf([{ filename: `${hard(99).replaceAll('/', '')}.txt`, content: 'text' }])
    const file = (await world.as(user).send({ method: 'POST', url: '/api/v1/files', ...upload })).expect(201)
    const task = await world.givenTask(user, project, { title: hard(255) })
    await put(`/files/${file.key}/resource`, { resourceType: 'task', resourceId: task.id }, world.as(user))
    const draft = { type: hard(64), title: hard(), payload: hard() }
    await world.givenRequest(other, { id: parentId! }, draft)
  })

  for (const fill of await defaultsOfPlugins<Fill>('test/hard-texts.ts')) await fill({ world, tenant, made })
  const leaving = await world.givenUser(tenant)
  ;(await boss.delete(`/users/${leaving.id}`)).expect(200)
}

export async function times<T>(count: number, make: () => Promise<T>): Promise<T[]> {
  const all: T[] = []
  while (all.length < count) all.push(await make())
  return all
}
