import { beforeEach, describe, expect, test } from 'vitest'
import { until } from '../support/patience.ts'
import { openWorldWithFiles } from '../support/uploads.ts'
import type { Person, Tenant } from '../support/world.ts'

/** Files belong to tasks, requests and articles: who sees the thing sees the file. */
const { folder, world, upload } = await openWorldWithFiles()
let tenant: Tenant
let boss: Person
let author: Person
let colleague: Person
let stranger: Person
beforeEach(async () => {
  tenant = await world.givenTenant()
  boss = tenant.administrator
  ;[author, colleague] = [await world.givenUser(tenant), await world.givenUser(tenant)]
  stranger = await world.givenUser(tenant)
})

interface StoredFile {
  key: string
  url: string
}
const attach = (person: Person, file: StoredFile, resourceType: string, resourceId: number) =>
  world.as(person).put(`${file.url}/resource`, { resourceType, resourceId })
const detach = (person: Person, file: StoredFile) => world.as(person).put(`${file.url}/resource`, null)
const statusFor = async (person: Person, file: StoredFile) => (await upload.download(person, file.url)).statusCode
const keysFor = async (person: Person, query = '') => await world.as(person).list(`/files${query}`, 'key')
const publicStatus = async ({ url }: StoredFile) =>
  (await world.app.inject({ method: 'GET', url: url.replace('/api/v1/', '/api/v1/public/') })).statusCode
/** Who sees a file, by its bytes and in their list alike. */
async function seersOf(file: StoredFile): Promise<Person[]> {
  const seers: Person[] = []
  for (const person of [author, colleague, stranger, boss]) {
    const isSeen = (await statusFor(person, file)) === 200
    expect((await keysFor(person)).includes(file.key)).toBe(isSeen)
    if (isSeen) seers.push(person)
  }
  return seers
}

async function givenSharedTask() {
  const project = await world.givenProject(author)
  await world.givenMember(author, project, colleague)
  return { project, task: await world.givenTask(author, project) }
}

describe('a file of a task', () => {
  test('is seen by who sees the task, its uploader and managers of files, and by nobody else', async () => {
    const { project, task } = await givenSharedTask()
    const file = await upload.file(author)
    expect(await seersOf(file)).toEqual([author, colleague, stranger, boss])

    const attached = (await attach(author, file, 'task', task.id)).expect(200)
    expect(attached).toEqual({ ...file, uploaderId: author.id, resourceType: 'task', resourceId: task.id })
    expect(await seersOf(file)).toEqual([author, colleague, boss])
    expect(await keysFor(colleague, `?resourceType=task&resourceId=${task.id}`)).toEqual([file.key])
    expect(await keysFor(stranger, `?resourceType=task&resourceId=${task.id}`)).toEqual([])

    ;(await world.as(author).delete(`/projects/${project.id}/members/${colleague.id}`)).expect(200)
    expect(await seersOf(file)).toEqual([author, boss])
    ;(await detach(author, file)).expect(200)
    expect(await seersOf(file)).toEqual([author, colleague, stranger, boss])
  })

  test('is in the history of the task by its name, once, and the version of the task stays', async () => {
    const { task } = await givenSharedTask()
    const file = await upload.file(colleague, { filename: 'plan.png' })
    for (const _ of ['once', 'again']) (await attach(colleague, file, 'task', task.id)).expect(200)
    ;(await detach(colleague, file)).expect(200)
    ;(await detach(colleague, file)).expect(200)

    const history = await world.as(author).read(`/tasks/${task.id}/activities`)
    const by = { actorId: colleague.id, fieldName: null }
    expect(history.filter(({ action }: any) => action.startsWith('FILE_'))).toMatchObject([
      { ...by, action: 'FILE_DETACHED', oldValue: 'plan.png', newValue: null },
      { ...by, action: 'FILE_ATTACHED', oldValue: null, newValue: 'plan.png' },
    ])
    expect((await world.as(author).read(`/tasks/${task.id}`)).version).toBe(task.version)
  })

  test('is attached only by its uploader, who must see the task; a manager of files may detach it', async () => {
    const { task } = await givenSharedTask()
    const [file, foreign] = [await upload.file(author), await upload.file(stranger)]
    for (const person of [colleague, boss])
      (await attach(person, file, 'task', task.id)).expect(403, 'PERMISSION_DENIED')
    ;(await attach(stranger, foreign, 'task', task.id)).expect(404, 'NOT_FOUND')
    ;(await attach(author, file, 'task', task.id)).expect(200)
    ;(await attach(stranger, file, 'task', task.id)).expect(404, 'NOT_FOUND')
    ;(await detach(stranger, file)).expect(404, 'NOT_FOUND')
    ;(await detach(colleague, file)).expect(403, 'PERMISSION_DENIED')
    expect((await detach(boss, file)).expect(200)).toMatchObject({ resourceType: null, resourceId: null })
    ;(await attach(world.admin, file, 'task', task.id)).expect(409, 'NOT_IN_TENANT')
  })

  test('moves from one task to another, and stays where it is if its uploader sees only one of them', async () => {
    const [one, two] = [await givenSharedTask(), await givenSharedTask()]
    const file = await upload.file(colleague)
    const keysOf = ({ task }: { task: { id: number } }) => keysFor(author, `?resourceType=task&resourceId=${task.id}`)
    for (const { task } of [one, two]) (await attach(colleague, file, 'task', task.id)).expect(200)
    expect([await keysOf(one), await keysOf(two)]).toEqual([[], [file.key]])

    ;(await world.as(author).delete(`/projects/${two.project.id}/members/${colleague.id}`)).expect(200)
    ;(await attach(colleague, file, 'task', one.task.id)).expect(404, 'NOT_FOUND')
    ;(await detach(colleague, file)).expect(404, 'NOT_FOUND')
    expect(await keysOf(two)).toEqual([file.key])
  })

  test('is seen by a member who registered themselves, who sees no other file of the tenant', async () => {
    const { task } = await givenSharedTask()
    const [file, loose] = [await upload.file(author), await upload.file(author)]
    ;(await attach(author, file, 'task', task.id)).expect(200)
    await world.look.rows('update users set self_registered = true where id = $1 returning id', [colleague.id])
    ;(await world.as(boss).put(`/users/${colleague.id}`, { realName: 'Forget what is remembered' })).expect(200)
    await expect.poll(() => statusFor(colleague, loose)).toBe(404)
    expect(await statusFor(colleague, file)).toBe(200)
    expect(await keysFor(colleague)).toEqual([file.key])
  })
})

describe('a file of a request', () => {
  async function givenRequest() {
    const leader = await world.givenUser(tenant)
    const draft = { name: 'Sales', code: 'SALES', leaderId: leader.id }
    const { id: departmentId } = await world.as(boss).create('/departments', draft)
    const request = { type: 'expense', title: 'A train', departmentId }
    return { leader, approval: await world.as(author).create('/approvals', request) }
  }
  const submit = (id: number) =>
    world.as(author).post(`/approvals/${id}/submit`, undefined, { 'idempotency-key': `submit-${id}` })

  test('is seen by its leader from the submission on, and stays with what was decided', async () => {
    const { leader, approval } = await givenRequest()
    const [file, late] = [await upload.file(author), await upload.file(author)]
    ;(await attach(author, file, 'approval', approval.id)).expect(200)
    expect(await statusFor(leader, file)).toBe(404)
    ;(await submit(approval.id)).expect(200)
    expect(await statusFor(leader, file)).toBe(200)
    expect(await keysFor(leader, `?resourceType=approval&resourceId=${approval.id}`)).toEqual([file.key])
    expect(await seersOf(file)).toEqual([author, boss])

    ;(await world.as(leader).post(`/approvals/${approval.id}/reject`, {})).expect(200)
    ;(await detach(author, file)).expect(409, 'ILLEGAL_TRANSITION')
    ;(await attach(author, late, 'approval', approval.id)).expect(409, 'ILLEGAL_TRANSITION')
    ;(await world.as(author).delete(file.url)).expect(409, 'FILE_IN_USE')
  })

  test('raises the version, so nobody decides on what they have not read', async () => {
    const { leader, approval } = await givenRequest()
    ;(await submit(approval.id)).expect(200)
    const path = `/approvals/${approval.id}`
    const etag = String((await world.as(leader).get(path)).headers.etag)
    ;(await attach(author, await upload.file(author), 'approval', approval.id)).expect(200)
    ;(await world.as(leader).post(`${path}/approve`, {}, { 'if-match': etag })).expect(412, 'PRECONDITION_FAILED')
    expect((await world.as(leader).read(path)).version).toBe(2)
    ;(await world.as(leader).post(`${path}/approve`, {})).expect(200)
  })
})

describe('a file of an article', () => {
  const write = (person: Person, status: 'draft' | 'published') =>
    world.as(person).create('/content/articles', { title: 'News', status })

  test('is public while the article is published, whatever its kind, and its uploader’s alone once that is deleted', async () => {
    const role = await world.givenRole(tenant, ['content:create', 'content:update', 'file:upload'])
    const editor = await world.givenUser(tenant, role)
    const article = await write(editor, 'draft')
    const file = await upload.file(editor, { filename: 'prices.txt', content: Buffer.from('1 CNY') })
    ;(await attach(editor, file, 'article', article.id)).expect(200)
    const publish = async (status: string) =>
      (await world.as(editor).put(`/content/articles/${article.id}`, { status })).expect(200)
    const seen = async () => [await publicStatus(file), await statusFor(stranger, file)]
    expect(await publicStatus(file)).toBe(404)
    await publish('published')
    expect(await seen()).toEqual([200, 200])
    await publish('draft')
    expect(await seen()).toEqual([404, 404])
    await publish('published')
    ;(await detach(editor, file)).expect(200)
    expect(await publicStatus(file)).toBe(404)

    ;(await attach(editor, file, 'article', article.id)).expect(200)
    expect(await seen()).toEqual([200, 200])
    ;(await world.as(boss).delete(`/content/articles/${article.id}`)).expect(200)
    expect([...(await seen()), await statusFor(editor, file)]).toEqual([404, 404, 200])
    ;(await world.as(editor).delete(file.url)).expect(200)
  })

  test('is not public if a reader attached it: they do not decide what the public reads', async () => {
    const article = await write(boss, 'published')
    const file = await upload.file(author)
    ;(await attach(author, file, 'article', article.id)).expect(200)
    expect(await publicStatus(file)).toBe(404)
    expect(await seersOf(file)).toEqual([author, colleague, stranger, boss])
  })
})

describe('a picture of a person', () => {
  const choose = (person: Person, avatarKey: string | null) => world.as(person).put('/users/me', { avatarKey })

  test('is public, and shown where others see the person', async () => {
    const { task } = await givenSharedTask()
    const file = await upload.file(author)
    const chosen = async () => (await world.as(author).read('/users/me')).avatarKey
    expect(await chosen()).toBeNull()
    expect((await choose(author, file.key)).expect(200).avatarKey).toBe(file.key)
    expect(await chosen()).toBe(file.key)
    expect(await publicStatus(file)).toBe(200)

    const avatarUrl = `/api/v1/public/files/${file.key}`
    const directory = await world.as(stranger).read(`/users/directory?ids=${author.id},${stranger.id}`)
    expect(directory.map((entry: any) => [entry.id, entry.avatarUrl])).toEqual([
      [author.id, avatarUrl],
      [stranger.id, null],
    ])
    const comment = await world.as(author).create(`/tasks/${task.id}/comments`, { content: 'x' })
    const [listed] = await world.as(colleague).read(`/tasks/${task.id}/comments`)
    expect([comment.authorAvatarUrl, listed.authorAvatarUrl]).toEqual([avatarUrl, avatarUrl])

    // A form is saved that leaves it out, or sends it back.
    ;(await world.as(author).put('/users/me', { nickname: 'Nina' })).expect(200)
    expect((await choose(author, file.key)).expect(200).avatarKey).toBe(file.key)
    ;(await choose(author, null)).expect(200)
    expect(await publicStatus(file)).toBe(404)
  })

  test('is an image of one’s own', async () => {
    const text = await upload.file(author, { filename: 'a.txt', content: Buffer.from('a') })
    for (const key of [text.key, 'me.png']) (await choose(author, key)).expect(400, 'VALIDATION_FAILED')
    ;(await choose(author, (await upload.file(colleague)).key)).expect(403, 'PERMISSION_DENIED')
    const elsewhere = await upload.file((await world.givenTenant()).administrator)
    for (const key of [`${tenant.id}/${'0'.repeat(32)}.png`, elsewhere.key])
      (await choose(author, key)).expect(404, 'NOT_FOUND')
    expect((await world.as(author).read('/users/me')).avatarKey).toBeNull()
  })

  test('goes with the person, and their other files stay with what they belong to', async () => {
    const { project, task } = await givenSharedTask()
    const [picture, shared, both] = [
      await upload.file(colleague),
      await upload.file(colleague),
      await upload.file(stranger),
    ]
    ;(await choose(colleague, picture.key)).expect(200)
    ;(await attach(colleague, shared, 'task', task.id)).expect(200)
    await world.givenMember(author, project, stranger)
    ;(await attach(stranger, both, 'task', task.id)).expect(200)
    ;(await choose(stranger, both.key)).expect(200)
    for (const person of [colleague, stranger]) (await world.as(boss).delete(`/users/${person.id}`)).expect(200)

    expect([await publicStatus(picture), await statusFor(boss, picture), await publicStatus(both)]).toEqual(
      Array(3).fill(404),
    )
    expect([await statusFor(author, both), await statusFor(author, shared)]).toEqual([200, 200])
    const [former] = await world.as(author).read(`/users/directory?ids=${colleague.id}`)
    expect(former.avatarUrl).toBeNull()
    // Its bytes too: many that only the sweep removed would look to it like a mistake.
    const names = [shared, both].map(({ key }) => key.split('/')[1]!).sort()
    await until(() => expect(folder.names(tenant.id).sort()).toEqual(names))
  })
})

test('a file in use is not deleted, and the refusal names every use', async () => {
  const { task } = await givenSharedTask()
  const file = await upload.file(boss)
  ;(await attach(boss, file, 'task', task.id)).expect(200)
  ;(await world.as(boss).put('/users/me', { avatarKey: file.key })).expect(200)
  const article = await world.as(boss).create('/content/articles', { title: 'x', cover: file.url })
  const team = [{ name: 'Ada', role: 'Founder', avatar: file.url }]
  const about = { intro: 'We', stats: [], team, milestones: [] }
  ;(await world.as(boss).put('/content/portal/about', about)).expect(200)

  const { details } = (await world.as(boss).delete(file.url)).expect(409, 'FILE_IN_USE')
  expect(details.toSorted((a: any, b: any) => (a.path < b.path ? -1 : 1))).toMatchObject([
    { path: 'articles', id: article.id },
    { path: 'portal', section: 'about' },
    { path: 'resource', resourceType: 'task', resourceId: task.id },
    { path: 'users', id: boss.id },
  ])
  expect(await statusFor(boss, file)).toBe(200)

  ;(await detach(boss, file)).expect(200)
  ;(await world.as(boss).put('/users/me', { avatarKey: null })).expect(200)
  ;(await world.as(boss).put(`/content/articles/${article.id}`, { cover: null })).expect(200)
  ;(await world.as(boss).put('/content/portal/about', { ...about, team: [] })).expect(200)
  ;(await world.as(boss).delete(file.url)).expect(200)
})

test('what is malformed is refused, and null in both fields detaches as null does', async () => {
  const { task } = await givenSharedTask()
  const file = await upload.file(author)
  ;(await attach(author, file, 'task', task.id)).expect(200)
  const change = (body: unknown) => world.as(author).put(`${file.url}/resource`, body)
  for (const [body, path] of [
    [{ resourceType: 'moon', resourceId: 1 }, 'body.resourceType'],
    [{ resourceType: 'task' }, 'body.resourceId'],
    [{ resourceType: 'task', resourceId: null }, 'body.resourceId'],
    [{ resourceType: 'task', resourceId: '1' }, 'body.resourceId'],
    [[], 'body'],
  ] as const)
    expect((await change(body)).expect(400, 'VALIDATION_FAILED').details).toMatchObject([{ path }])
  for (const query of ['?resourceId=1', '?resourceType=moon'])
    (await world.as(author).get(`/files${query}`)).expect(400, 'VALIDATION_FAILED')
  const nothing = { resourceType: null, resourceId: null }
  expect((await change(nothing)).expect(200)).toMatchObject(nothing)
})
