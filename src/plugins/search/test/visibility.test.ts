import { describe, expect, test } from 'vitest'
import { obedient } from '#test/obedient.ts'
import { openWorldWithFiles } from '#test/uploads.ts'
import type { Person } from '#test/world.ts'
import { indexed } from './indexed.ts'

/** A search finds what its caller may see by the type's own route, and nothing else: each person, each kind of thing. */
const { world, upload } = await openWorldWithFiles()
const people: Record<string, Person> = {}
/** The things, by kind and name, each with its own route. */
const things: { name: string; type: string; id: number; key: string | null; url: string }[] = []

const WORD = 'Kumquat'
let keys = 0
const post = async (person: Person, path: string, body?: object) =>
  (await world.as(person).post(path, body, { 'idempotency-key': `key-${++keys}` })).data

const tenant = await world.givenTenant()
const boss = tenant.administrator
const reader = await world.givenRole(tenant, ['approval:create'])
Object.assign(people, {
  boss,
  owner: await world.givenUser(tenant),
  member: await world.givenUser(tenant),
  former: await world.givenUser(tenant),
  stranger: await world.givenUser(tenant),
  'without projects': await world.givenUser(tenant, reader),
  leader: await world.givenUser(tenant),
  writer: await world.givenUser(tenant, await world.givenRole(tenant, ['content:create'])),
  uploader: await world.givenUser(tenant),
  'of another tenant': (await world.givenTenant()).administrator,
})
const { owner, member, former, leader, writer, uploader, stranger } = people as Record<string, Person>
const project = await world.givenProject(owner!, { name: `${WORD} project` })
for (const one of [member!, former!]) await world.givenMember(owner!, project, one)
const task = await world.givenTask(owner!, project, { title: `${WORD} task` })
;(await world.as(owner!).delete(`/projects/${project.id}/members/${former!.id}`)).expect(200)
const department = await post(boss, '/departments', { name: 'Fruit', code: 'FRUIT', leaderId: leader!.id })
const request = { type: 'purchase', departmentId: department.id }
const draft = await post(member!, '/approvals', { ...request, title: `${WORD} draft` })
const waiting = await post(member!, '/approvals', { ...request, title: `${WORD} request` })
await post(member!, `/approvals/${waiting.id}/submit`)
const article = { content: ['x'] }
const own = await post(writer!, '/content/articles', { ...article, title: `${WORD} draft of a writer` })
const edited = await post(boss, '/content/articles', { ...article, title: `${WORD} draft of the boss` })
const shown = await post(boss, '/content/articles', { ...article, title: `${WORD} news`, status: 'published' })
;(await world.as(stranger!).put('/users/me', { nickname: `${WORD} Smith` })).expect(200)
const loose = await upload.file(uploader!, { filename: `${WORD} loose.png` })
const ofTask = await upload.file(owner!, { filename: `${WORD} plan.png` })
const attached = { resourceType: 'task', resourceId: task.id }
;(await world.as(owner!).put(`/files/${ofTask.key}/resource`, attached)).expect(200)

const add = (name: string, type: string, { id, key = null }: any, url: string) =>
  things.push({ name, type, id, key, url })
add('the project', 'project', project, `/projects/${project.id}`)
add('the task', 'task', task, `/tasks/${task.id}`)
add('a draft', 'approval', draft, `/approvals/${draft.id}`)
add('a request', 'approval', waiting, `/approvals/${waiting.id}`)
for (const one of [own, edited, shown]) add(one.title, 'article', one, `/content/articles/${one.id}`)
add('a person', 'person', stranger!, `/users/directory?ids=${stranger!.id}`)
for (const file of [loose, ofTask]) add(file.originalName, 'file', file, `/files/${file.key}`)
await indexed(world, tenant)

const search = async (person: Person): Promise<any[]> =>
  (await obedient(world.as(person)).get(`/search?q=${WORD}&limit=50`)).expect(200)

/** Whether the person sees a thing by its own route. */
async function sees(person: Person, { type, url }: (typeof things)[number]): Promise<boolean> {
  if (type === 'file') return (await upload.download(person, `/api/v1${url}`)).statusCode === 200
  const { status, data } = await world.as(person).get(url)
  return status === 200 && (!Array.isArray(data) || data.length > 0)
}

describe('each person finds what they see', () => {
  test.each([
    ...['boss', 'owner', 'member', 'former', 'stranger', 'without projects'],
    ...['leader', 'writer', 'uploader', 'of another tenant'],
  ])('%s', async (name) => {
    const person = people[name]!
    const visible: string[] = []
    for (const thing of things) if (await sees(person, thing)) visible.push(thing.name)
    const found = await search(person)
    const names = found.map((result) => {
      const thing = things.find(({ type, id, key }) =>
        type === 'file' ? type === result.type && key === result.key : type === result.type && id === result.id,
      )
      return thing?.name ?? `unknown: ${JSON.stringify(result)}`
    })
    expect(names.toSorted()).toEqual(visible.toSorted())
  })

  test('also where much that is newer is hidden from them', async () => {
    const { owner, stranger } = people as { owner: Person; stranger: Person }
    const project = await world.givenProject(owner)
    const hidden = await world.givenProject(stranger)
    const task = await world.givenTask(owner, project, { title: 'Tamarillo' })
    const found = async () => (await obedient(world.as(owner)).get('/search?q=Tamarillo')).expect(200)
    // The index would take the rows below from their tables too.
    await indexed(world, tenant)
    expect(await found()).toHaveLength(1)
    const rows = `from generate_series(1, 1500) n`
    for (const statement of [
      `insert into tasks (tenant_id, id, project_id, title, reporter_id, created_at, updated_at)
       select ${tenant.id}, 1000000 + n, ${hidden.id}, 'Tamarillo', ${stranger.id}, now(), now() ${rows}`,
      `insert into search_entries select ${tenant.id}, 'task', 1000000 + n, array['tamarillo'], '{}', now() ${rows}`,
      `insert into search_words select ${tenant.id}, 'task', 'tamarillo', 1, 1000000 + n ${rows}`,
    ])
      await world.look.rows(statement)
    expect(await found()).toMatchObject([{ type: 'task', id: task.id }])
  })

  test('and what they see differs', async () => {
    const counts: number[] = []
    for (const person of Object.values(people)) counts.push((await search(person)).length)
    expect(new Set(counts).size).toBeGreaterThan(3)
    expect(counts.at(-1)).toBe(0)
  })
})
