import { parse } from 'csv-parse/sync'
import { describe, expect, test } from 'vitest'
import { until } from '#test/patience.ts'
import { openWorldWithFiles } from '#test/uploads.ts'
import type { Person, Tenant } from '#test/world.ts'
import { cellOf } from '../csv/cells.rules.ts'
import { CSV, walk } from './tables.ts'

const { world, upload } = await openWorldWithFiles()
const [tenant, other] = [await world.givenTenant(), await world.givenTenant()]
const boss = tenant.administrator

await fill(other, 'Of the other tenant')
const { owner, member, stranger, project, late } = await fill(tenant, 'Of the tenant')

/** A tenant with something in each list. */
async function fill(of: Tenant, name: string) {
  const [owner, member, stranger] = [
    await world.givenUser(of),
    await world.givenUser(of),
    await world.givenUser(of),
  ] as const
  const project = await world.givenProject(owner, { name, description: 'Two\r\nlines, "quoted"' })
  const secret = await world.givenProject(stranger, { name: `${name}, of strangers` })
  await world.givenMember(owner, project, member)
  const drafts = ['=1+1', '2028-01-02', '2028-01-01', '', '-5', 'ünï, "中文" 🙂'].map((title, at) => ({
    title: title || 'Plain',
    description: `${title}\n${name}, "quoted"\r\n;=1+1`,
    assigneeId: at % 2 ? member.id : null,
    dueDate: title.startsWith('2028') ? title : null,
  }))
  const tasks = []
  for (const draft of drafts) tasks.push(await world.givenTask(owner, project, draft))
  await world.givenTask(stranger, secret, { title: `${name}, hidden` })
  const as = (person: Person) => world.as(person)
  for (const title of ['One', '@Two', 'Three'])
    (await as(member).post('/approvals', { type: 'leave', title: `${name} ${title}` })).expect(201)
  await world.givenPrices(of)
  const { administrator } = of
  await upload.file(administrator, { filename: '=1+1.png' })
  await upload.file(stranger)
  for (const status of ['draft', 'published', 'published'])
    (
      await as(administrator).post('/content/articles', { title: `${name} ${status}`, status, tags: ['a', '=b'] })
    ).expect(201)
  const contact = { name: '+1', email: 'a@b.example', message: `${name}\n=2`, company: 'C', phone: '+49 30 1' }
  ;(await world.anyone.post('/public/contact', contact, { 'x-tenant-code': of.code })).expect(201)
  return { owner, member, stranger, project, late: tasks[1] }
}

const tableOf = async (person: Person, path: string): Promise<string[][]> =>
  parse((await world.as(person).get(path, CSV)).expect(200))
/** A field that the view of a row leaves out is an empty cell. */
const cellsOf = (rows: Record<string, unknown>[], header: readonly string[]) =>
  rows.map((row) => header.map((name) => cellOf(row[name] ?? null)))

describe('a list as a table has the rows of its pages, in their order', () => {
  test.each([
    ['/projects', () => owner],
    ['/projects', () => boss],
    ['/projects?sort=code', () => boss],
    ['/projects?keyword=strangers', () => boss],
    ['/projects/:id/tasks', () => owner],
    ['/projects/:id/tasks?sort=dueDate', () => member],
    ['/projects/:id/tasks?sort=-priority&status=TODO', () => owner],
    ['/projects/:id/tasks?keyword=2028', () => owner],
    ['/tasks', () => owner],
    ['/tasks', () => boss],
    ['/tasks?assigneeId=me&sort=-dueDate', () => member],
    ['/tasks?dueFrom=2028-01-01&sort=dueDate', () => owner],
    ['/users', () => boss],
    ['/users?sort=-username&status=active', () => boss],
    ['/approvals', () => boss],
    ['/approvals?scope=mine&status=DRAFT', () => member],
    ['/audit/operations?method=POST', () => boss],
    ['/audit/operations?method=POST&status=201', () => boss],
    ['/files', () => stranger],
    ['/files', () => boss],
    ['/content/articles', () => boss],
    ['/content/articles?status=published', () => member],
    ['/content/contact-messages', () => boss],
  ])('%s', async (list, whose) => {
    const path = list.replace(':id', project.id)
    const pages = () => walk(world.as(whose()), path)
    const { rows, table } = await until(async () => {
      const [rows, table] = [await pages(), await tableOf(whose(), path)]
      // Jobs go on meanwhile: a row of the audit gets its link, for example.
      expect(await pages()).toEqual(rows)
      return { rows, table }
    })
    const [header, ...lines] = table

    expect(rows.length).toBeGreaterThan(0)
    expect(header!.filter((name) => name in rows[0]!)).toEqual(Object.keys(rows[0]!))
    expect(lines).toEqual(cellsOf(rows, header!))
  })

  test('/payments/orders', async () => {
    const [plan] =
      (await world.as(boss).get('/public/pricing', { 'x-tenant-code': tenant.code })).expect(200).plans ?? []
    if (plan)
      (
        await world
          .as(member)
          .post('/payments/checkout', { planId: plan.id, channel: 'card' }, { 'idempotency-key': 'o' })
      ).expect(201)
    const rows = await walk(world.as(member), '/payments/orders')
    const [header, ...lines] = await tableOf(member, '/payments/orders')
    expect(header).toEqual(expect.arrayContaining(['orderNo', 'amountCents', 'expiresAt']))
    expect(lines).toEqual(cellsOf(rows, header!))
  })

  test('JSON is sent to who would as soon have that', async () => {
    for (const accept of ['application/json, text/csv', 'text/csv;q=0.5, application/json;q=0.9', 'text/*', '*/*'])
      expect((await world.as(owner).get('/projects', { accept })).headers['content-type']).toMatch(/^application\/json/)
    const { headers } = await world.as(owner).get('/projects', { accept: 'application/json;q=0.5, text/csv' })
    expect(headers['content-type']).toMatch(/^text\/csv/)
  })

  test('whatever part of it is asked for', async () => {
    const whole = await tableOf(owner, `/projects/${project.id}/tasks`)
    for (const part of ['page=2&pageSize=2', `before=${late.id}`, `after=${late.id}`])
      expect(await tableOf(owner, `/projects/${project.id}/tasks?${part}`), part).toEqual(whole)
    expect(await tableOf(boss, '/users?page=3&pageSize=1')).toEqual(await tableOf(boss, '/users'))
    expect(await tableOf(boss, '/content/articles?page=2')).toEqual(await tableOf(boss, '/content/articles'))
  })

  test('and more than one page of them is read', async () => {
    await world.look.rows(
      `insert into tasks (tenant_id, project_id, title, reporter_id, created_at, updated_at)
       select $1, $2, 'Task ' || n, $3, now(), now() from generate_series(1, 1201) n`,
      [tenant.id, project.id, owner.id],
    )
    for (const sort of ['', '?sort=title', '?sort=dueDate']) {
      const path = `/projects/${project.id}/tasks${sort}`
      const rows = await walk(world.as(owner), path, 1000)
      const [header, ...lines] = await tableOf(owner, path)
      expect(lines, sort).toEqual(cellsOf(rows, header!))
    }
  })
})

describe('nobody sees more', () => {
  test('a stranger gets the refusal of the list', async () => {
    const path = `/projects/${project.id}/tasks`
    ;(await world.as(stranger).get(path, CSV)).expect(404, 'NOT_FOUND')
    ;(await world.as(member).get('/users', CSV)).expect(403, 'PERMISSION_DENIED')
    ;(await world.as(other.administrator).get(path, CSV)).expect(404, 'NOT_FOUND')
    ;(await world.anyone.get('/projects', CSV)).expect(401, 'UNAUTHENTICATED')
    ;(await world.as(owner).get(`${path}?status=NONE`, CSV)).expect(400, 'VALIDATION_FAILED')
  })

  test('what others have is in no table', async () => {
    for (const path of ['/projects', '/tasks', '/approvals', '/files']) {
      const text = (await world.as(owner).get(path, CSV)).expect(200)
      expect(text, path).not.toMatch(/strangers|hidden|other tenant/)
    }
    expect(await tableOf(stranger, '/approvals')).toHaveLength(1)
  })
})

describe('the answer', () => {
  test('is a file with a name, in UTF-8, and the mark comes first for who asks for it', async () => {
    const answer = await world.as(owner).get('/projects?bom=true', CSV)
    const text = answer.expect(200)
    expect(answer.headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8; header=present',
      'content-disposition': expect.stringMatching(/^attachment; filename="projects-\d{4}-\d\d-\d\d\.csv"$/),
      'cache-control': 'no-store',
      vary: expect.stringContaining('Accept'),
    })
    const without = (await world.as(owner).get('/projects', CSV)).expect(200)
    expect(text).toBe(`\ufeff${without}`)
    expect(without.endsWith('\r\n')).toBe(true)
    expect(without.split('\r\n')[0]).toBe(
      'id,name,code,description,ownerId,ownerName,status,startDate,endDate,version,memberIds,myRole,createdAt,updatedAt,archivedAt',
    )
  })

  test('is JSON for whoever asks for anything else', async () => {
    for (const accept of ['*/*', 'text/*', 'text/html', 'application/json', 'text/csvx']) {
      const answer = await world.as(owner).get('/projects', { accept })
      expect(answer.expect(200)).toHaveLength(1)
      expect(answer.headers.vary, accept).toMatch(/(^|, )Accept(,|$)/)
    }
    const head = await world.as(owner).send({ method: 'HEAD', url: '/api/v1/projects', headers: CSV })
    expect(head.headers['content-type']).toBe('text/csv; charset=utf-8; header=present')
  })

  test('names those who have left in the language of the reader', async () => {
    const leaver = await world.givenUser(tenant)
    const left = await world.givenProject(owner, { name: 'Left' })
    await world.givenMember(owner, left, leaver)
    await world.givenTask(leaver, left)
    ;(await world.as(boss).delete(`/users/${leaver.id}`)).expect(200)
    const table = parse(
      (await world.as(owner).get(`/projects/${left.id}/tasks`, { ...CSV, 'accept-language': 'zh-CN' })).expect(200),
    )
    expect(table[1]![table[0]!.indexOf('reporterName')]).toMatch(/\p{Script=Han}/u)
  })

  test('is audited', async () => {
    const auditor = await world.givenUser(tenant, 'tenant-admin')
    ;(await world.as(auditor).get('/projects')).expect(200)
    ;(await world.as(auditor).get('/projects', CSV)).expect(200)
    const trail = async () => (await world.as(boss).get(`/audit/operations?userId=${auditor.id}`)).expect(200)
    await until(async () => (await trail()).length > 0)
    expect(await trail()).toMatchObject([{ method: 'GET', path: '/api/v1/projects', status: 200 }])
  })
})
