import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { pngOf } from '../support/form.ts'
import { givenFolder, uploadOf } from '../support/uploads.ts'
import { openWorld, type Person, type Tenant, type World } from '../support/world.ts'

/** Files belong to tasks, requests and articles: who sees the thing sees the file. */
const folder = givenFolder()
let world: World
let upload: ReturnType<typeof uploadOf>
let tenant: Tenant
let boss: Person
let author: Person
let colleague: Person
let stranger: Person
beforeAll(async () => {
  world = await openWorld({ env: { FILE_STORAGE_ROOT: folder.root } })
  upload = uploadOf(world)
})
afterAll(async () => {
  await world?.close()
  folder.remove()
})
beforeEach(async () => {
  tenant = await world.givenTenant()
  boss = tenant.administrator
  ;[author, colleague, stranger] = [
    await world.givenUser(tenant),
    await world.givenUser(tenant),
    await world.givenUser(tenant),
  ]
})

interface StoredFile {
  key: string
  url: string
}
const address = ({ url }: StoredFile) => url.replace('/api/v1', '')
const attach = (person: Person, file: StoredFile, resourceType: string, resourceId: number) =>
  world.as(person).put(`${address(file)}/resource`, { resourceType, resourceId })
const detach = (person: Person, file: StoredFile) =>
  world.as(person).send({
    method: 'PUT',
    url: `${file.url}/resource`,
    payload: 'null',
    headers: { 'content-type': 'application/json' },
  })
const statusFor = async (person: Person, file: StoredFile) => (await upload.download(person, file.url)).statusCode
const keysFor = async (person: Person, query = '') =>
  (await world.as(person).get(`/files${query}`)).expect(200).map(({ key }: StoredFile) => key)
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

const EDITS = ['content:create', 'content:update', 'file:upload'] as const

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

    const history = (await world.as(author).get(`/tasks/${task.id}/activities`)).expect(200)
    expect(history.filter(({ action }: any) => action.startsWith('FILE_'))).toEqual([
      expect.objectContaining({
        action: 'FILE_DETACHED',
        actorId: colleague.id,
        fieldName: null,
        oldValue: 'plan.png',
        newValue: null,
      }),
      expect.objectContaining({ action: 'FILE_ATTACHED', oldValue: null, newValue: 'plan.png' }),
    ])
    expect((await world.as(author).get(`/tasks/${task.id}`)).expect(200).version).toBe(task.version)
  })

  test('is attached only by its uploader, who must see the task; a manager of files may detach it', async () => {
    const { task } = await givenSharedTask()
    const [file, foreign] = [await upload.file(author), await upload.file(stranger)]
    ;(await attach(colleague, file, 'task', task.id)).expect(403, 'PERMISSION_DENIED')
    ;(await attach(boss, file, 'task', task.id)).expect(403, 'PERMISSION_DENIED')
    ;(await attach(stranger, foreign, 'task', task.id)).expect(404, 'NOT_FOUND')
    ;(await attach(author, file, 'task', 987_654_321)).expect(404, 'NOT_FOUND')
    ;(await attach(author, file, 'task', task.id)).expect(200)
    ;(await attach(stranger, file, 'task', task.id)).expect(404, 'NOT_FOUND')
    ;(await detach(stranger, file)).expect(404, 'NOT_FOUND')
    ;(await detach(colleague, file)).expect(403, 'PERMISSION_DENIED')
    expect((await detach(boss, file)).expect(200)).toMatchObject({ resourceType: null, resourceId: null })
  })

  test('moves from one task to another, and stays where it is if its uploader sees only one of them', async () => {
    const [one, two] = [await givenSharedTask(), await givenSharedTask()]
    const file = await upload.file(colleague)
    ;(await attach(colleague, file, 'task', one.task.id)).expect(200)
    ;(await attach(colleague, file, 'task', two.task.id)).expect(200)
    expect(await keysFor(author, `?resourceType=task&resourceId=${one.task.id}`)).toEqual([])
    expect(await keysFor(author, `?resourceType=task&resourceId=${two.task.id}`)).toEqual([file.key])

    ;(await world.as(author).delete(`/projects/${two.project.id}/members/${colleague.id}`)).expect(200)
    ;(await attach(colleague, file, 'task', one.task.id)).expect(404, 'NOT_FOUND')
    ;(await detach(colleague, file)).expect(404, 'NOT_FOUND')
    expect(await keysFor(author, `?resourceType=task&resourceId=${two.task.id}`)).toEqual([file.key])
  })

  test('is not seen by a member whose roles do not let them read tasks', async () => {
    const { project, task } = await givenSharedTask()
    const file = await upload.file(author)
    ;(await attach(author, file, 'task', task.id)).expect(200)
    const role = await world.givenRole(tenant, ['file:upload'])
    const clerk = await world.givenUser(tenant, role)
    await world.givenMember(author, project, clerk)
    expect(await statusFor(clerk, file)).toBe(404)
    expect(await keysFor(clerk)).toEqual([])
    ;(await attach(clerk, await upload.file(clerk), 'task', task.id)).expect(404, 'NOT_FOUND')
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

  test('of another tenant cannot be named, nor can a file of ours be attached there', async () => {
    const elsewhere = await world.givenTenant()
    const theirs = await world.givenTask(elsewhere.administrator, await world.givenProject(elsewhere.administrator))
    const file = await upload.file(author)
    ;(await attach(author, file, 'task', theirs.id)).expect(404, 'NOT_FOUND')
    ;(await attach(elsewhere.administrator, file, 'task', theirs.id)).expect(404, 'NOT_FOUND')
    ;(await attach(world.admin, file, 'task', theirs.id)).expect(409, 'NOT_IN_TENANT')
  })
})

describe('a file of a request', () => {
  async function givenRequest() {
    const leader = await world.givenUser(tenant)
    const department = (
      await world.as(boss).post('/departments', { name: 'Sales', code: 'SALES', leaderId: leader.id })
    ).expect(201)
    const request = { type: 'expense', title: 'A train', departmentId: department.id }
    return { leader, approval: (await world.as(author).post('/approvals', request)).expect(201) }
  }
  const submit = (id: number) =>
    world.as(author).post(`/approvals/${id}/submit`, undefined, { 'idempotency-key': `submit-${id}` })

  test('is seen by its leader from the submission on', async () => {
    const { leader, approval } = await givenRequest()
    const file = await upload.file(author)
    ;(await attach(author, file, 'approval', approval.id)).expect(200)
    expect(await statusFor(leader, file)).toBe(404)
    ;(await submit(approval.id)).expect(200)
    expect(await statusFor(leader, file)).toBe(200)
    expect(await keysFor(leader, `?resourceType=approval&resourceId=${approval.id}`)).toEqual([file.key])
    expect(await seersOf(file)).toEqual([author, boss])
  })

  test('raises the version, so nobody decides on what they have not read', async () => {
    const { leader, approval } = await givenRequest()
    ;(await submit(approval.id)).expect(200)
    const etag = String((await world.as(leader).get(`/approvals/${approval.id}`)).headers.etag)
    ;(await attach(author, await upload.file(author), 'approval', approval.id)).expect(200)
    const approve = (headers: object) =>
      world.as(leader).post(`/approvals/${approval.id}/approve`, {}, headers as never)
    ;(await approve({ 'if-match': etag })).expect(412, 'PRECONDITION_FAILED')
    expect((await world.as(leader).get(`/approvals/${approval.id}`)).expect(200).version).toBe(2)
    ;(await approve({})).expect(200)
  })

  test('stays with what was decided', async () => {
    const { leader, approval } = await givenRequest()
    const [file, late] = [await upload.file(author), await upload.file(author)]
    ;(await attach(author, file, 'approval', approval.id)).expect(200)
    ;(await submit(approval.id)).expect(200)
    ;(await world.as(leader).post(`/approvals/${approval.id}/reject`, {})).expect(200)
    ;(await detach(author, file)).expect(409, 'ILLEGAL_TRANSITION')
    ;(await attach(author, late, 'approval', approval.id)).expect(409, 'ILLEGAL_TRANSITION')
    ;(await world.as(author).delete(address(file))).expect(409, 'FILE_IN_USE')
  })
})

describe('a file of an article', () => {
  const write = async (person: Person, status: 'draft' | 'published') =>
    (await world.as(person).post('/content/articles', { title: 'News', status })).expect(201)
  const givenEditor = async () => world.givenUser(tenant, await world.givenRole(tenant, EDITS))

  test('is public while the article is published, whatever kind of file it is', async () => {
    const editor = await givenEditor()
    const article = await write(editor, 'draft')
    const file = await upload.file(editor, { filename: 'prices.txt', content: Buffer.from('1 CNY') })
    ;(await attach(editor, file, 'article', article.id)).expect(200)
    const publish = async (status: string) =>
      (await world.as(editor).put(`/content/articles/${article.id}`, { status })).expect(200)
    expect(await publicStatus(file)).toBe(404)
    await publish('published')
    expect(await publicStatus(file)).toBe(200)
    expect(await statusFor(stranger, file)).toBe(200)
    await publish('draft')
    expect(await publicStatus(file)).toBe(404)
    expect(await statusFor(stranger, file)).toBe(404)
    await publish('published')
    ;(await detach(editor, file)).expect(200)
    expect(await publicStatus(file)).toBe(404)
  })

  test('is not public if a reader attached it: they do not decide what the public reads', async () => {
    const article = await write(boss, 'published')
    const file = await upload.file(author)
    ;(await attach(author, file, 'article', article.id)).expect(200)
    expect(await publicStatus(file)).toBe(404)
    expect(await seersOf(file)).toEqual([author, colleague, stranger, boss])
  })

  test('is its uploader’s alone once the article is deleted, and may then be deleted', async () => {
    const editor = await givenEditor()
    const article = await write(editor, 'published')
    const file = await upload.file(editor)
    ;(await attach(editor, file, 'article', article.id)).expect(200)
    ;(await world.as(boss).delete(`/content/articles/${article.id}`)).expect(200)
    expect(await publicStatus(file)).toBe(404)
    expect(await statusFor(stranger, file)).toBe(404)
    expect(await statusFor(editor, file)).toBe(200)
    ;(await world.as(editor).delete(address(file))).expect(200)
  })
})

describe('a picture of a person', () => {
  const choose = (person: Person, avatarKey: string | null) => world.as(person).put('/users/me', { avatarKey })

  test('is public, and shown where others see the person', async () => {
    const { task } = await givenSharedTask()
    const file = await upload.file(author)
    expect((await world.as(author).get('/users/me')).expect(200).avatarKey).toBeNull()
    expect((await choose(author, file.key)).expect(200).avatarKey).toBe(file.key)
    expect((await world.as(author).get('/users/me')).expect(200).avatarKey).toBe(file.key)
    expect(await publicStatus(file)).toBe(200)

    const avatarUrl = `/api/v1/public/files/${file.key}`
    const directory = (await world.as(stranger).get(`/users/directory?ids=${author.id},${stranger.id}`)).expect(200)
    expect(directory.map((entry: any) => [entry.id, entry.avatarUrl])).toEqual([
      [author.id, avatarUrl],
      [stranger.id, null],
    ])
    const comment = (await world.as(author).post(`/tasks/${task.id}/comments`, { content: 'x' })).expect(201)
    expect(comment.authorAvatarUrl).toBe(avatarUrl)
    const comments = (await world.as(colleague).get(`/tasks/${task.id}/comments`)).expect(200)
    expect(comments[0].authorAvatarUrl).toBe(avatarUrl)

    ;(await choose(author, null)).expect(200)
    expect(await publicStatus(file)).toBe(404)
  })

  test('stays when a form is saved that leaves it out, or sends it back', async () => {
    const file = await upload.file(author)
    ;(await choose(author, file.key)).expect(200)
    ;(await world.as(author).put('/users/me', { nickname: 'Nina' })).expect(200)
    expect((await choose(author, file.key)).expect(200).avatarKey).toBe(file.key)
  })

  test('is an image of one’s own', async () => {
    const [text, others] = [
      await upload.file(author, { filename: 'a.txt', content: Buffer.from('a') }),
      await upload.file(colleague),
    ]
    ;(await choose(author, text.key)).expect(400, 'VALIDATION_FAILED')
    ;(await choose(author, 'me.png')).expect(400, 'VALIDATION_FAILED')
    ;(await choose(author, others.key)).expect(403, 'PERMISSION_DENIED')
    ;(await choose(author, `${tenant.id}/${'0'.repeat(32)}.png`)).expect(404, 'NOT_FOUND')
    const elsewhere = await upload.file((await world.givenTenant()).administrator)
    ;(await choose(author, elsewhere.key)).expect(404, 'NOT_FOUND')
    expect((await world.as(author).get('/users/me')).expect(200).avatarKey).toBeNull()
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

    expect(await publicStatus(picture)).toBe(404)
    expect(await statusFor(boss, picture)).toBe(404)
    expect(await publicStatus(both)).toBe(404)
    expect(await statusFor(author, both)).toBe(200)
    expect(await statusFor(author, shared)).toBe(200)
    const [former] = (await world.as(author).get(`/users/directory?ids=${colleague.id}`)).expect(200)
    expect(former.avatarUrl).toBeNull()
  })
})

describe('a file in use', () => {
  test('is not deleted, and the refusal names every use', async () => {
    const { task } = await givenSharedTask()
    const file = await upload.file(boss)
    ;(await attach(boss, file, 'task', task.id)).expect(200)
    ;(await world.as(boss).put('/users/me', { avatarKey: file.key })).expect(200)
    const article = (await world.as(boss).post('/content/articles', { title: 'x', cover: file.url })).expect(201)
    const about = {
      intro: 'We',
      stats: [],
      team: [{ name: 'Ada', role: 'Founder', avatar: file.url }],
      milestones: [],
    }
    ;(await world.as(boss).put('/content/portal/about', about)).expect(200)

    const { details } = (await world.as(boss).delete(address(file))).expect(409, 'FILE_IN_USE')
    const uses = details.map(({ path, id, section, resourceType, resourceId }: any) => [
      path,
      id ?? section ?? [resourceType, resourceId],
    ])
    expect(Object.fromEntries(uses)).toEqual({
      resource: ['task', task.id],
      users: boss.id,
      articles: article.id,
      portal: 'about',
    })
    expect(await statusFor(boss, file)).toBe(200)

    ;(await detach(boss, file)).expect(200)
    ;(await world.as(boss).put('/users/me', { avatarKey: null })).expect(200)
    ;(await world.as(boss).put(`/content/articles/${article.id}`, { cover: null })).expect(200)
    ;(await world.as(boss).put('/content/portal/about', { ...about, team: [] })).expect(200)
    ;(await world.as(boss).delete(address(file))).expect(200)
  })
})

describe('what is malformed', () => {
  test.each([
    [{ resourceType: 'moon', resourceId: 1 }, ['body.resourceType']],
    [{ resourceType: 'task' }, ['body.resourceId']],
    [{ resourceType: 'task', resourceId: null }, ['body.resourceId']],
    [{ resourceType: 'task', resourceId: '1' }, ['body.resourceId']],
    [[], ['body']],
  ])('%j is refused', async (body, paths) => {
    const file = await upload.file(author)
    const answer = await world.as(author).put(`${address(file)}/resource`, body as never)
    expect(answer.expect(400, 'VALIDATION_FAILED').details.map(({ path }: any) => path)).toEqual(paths)
  })

  test.each(['?resourceId=1', '?resourceType=moon'])('GET /files%s is refused', async (query) => {
    ;(await world.as(author).get(`/files${query}`)).expect(400, 'VALIDATION_FAILED')
  })

  test('null in both fields detaches as null does', async () => {
    const { task } = await givenSharedTask()
    const file = await upload.file(author)
    ;(await attach(author, file, 'task', task.id)).expect(200)
    const nothing = { resourceType: null, resourceId: null }
    expect((await world.as(author).put(`${address(file)}/resource`, nothing)).expect(200)).toMatchObject(nothing)
  })
})

test('an image that belongs to a task is displayed to who sees the task as any other', async () => {
  const { task } = await givenSharedTask()
  const content = pngOf(3000)
  const file = await upload.file(author, { content })
  ;(await attach(author, file, 'task', task.id)).expect(200)
  const answer = await upload.download(colleague, file.url)
  expect(answer.rawPayload).toEqual(content)
  expect(answer.headers['cache-control']).toBe('private, no-cache')
})
