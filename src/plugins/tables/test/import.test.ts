import { beforeEach, describe, expect, test } from 'vitest'
import { isHere } from '#test/plugins.ts'
import { openWorld, type Person, type Tenant } from '#test/world.ts'
import { CSV } from './tables.ts'

const world = await openWorld()
let tenant: Tenant
let owner: Person
let member: Person
let project: any
beforeEach(async () => {
  tenant = await world.givenTenant()
  owner = await world.givenUser(tenant)
  member = await world.givenUser(tenant)
  project = await world.givenProject(owner)
  await world.givenMember(owner, project, member)
})

let keys = 0
const send = (person: Person, path: string, table: string | Buffer, headers: Record<string, string> = {}) =>
  world.as(person).send({
    method: 'POST',
    url: `/api/v1${path}`,
    headers: { 'content-type': 'text/csv', 'idempotency-key': `import-${++keys}`, ...headers },
    payload: table,
  })
const importTasks = (table: string | Buffer, query = '', person = owner, headers = {}) =>
  send(person, `/projects/${project.id}/tasks/import${query}`, table, headers)
const importUsers = (table: string, query = '', person = tenant.administrator) =>
  send(person, `/users/import${query}`, table)
const titles = async () =>
  (await world.as(owner).get(`/projects/${project.id}/tasks?sort=id`)).expect(200).map(({ title }: any) => title)
const newsOf = async (person: Person) =>
  (await world.as(person).get('/notifications'))
    .expect(200)
    .filter(({ type }: any) => type === 'TASKS_IMPORTED')
    .map(({ title }: any) => title)
const DRY = '?dryRun=true'

describe('a table of tasks', () => {
  test('becomes tasks with their history, and each assignee is told once', async () => {
    const table = `\ufefftitle,assignee,id,dueDate,priority,description\r\nOne,${member.username},9,2027-01-02,HIGH,"two\r\nlines"\r\n'=1+1,${member.username}\r\n\r\nThree,${owner.username},,,,\r\n`
    const report = (await importTasks(table)).expect(201)
    expect(report).toEqual({ rows: 3, created: 3, ignored: ['id'], errors: [] })
    const tasks = (await world.as(owner).get(`/projects/${project.id}/tasks?sort=id`)).expect(200)
    expect(tasks).toMatchObject([
      { title: 'One', description: 'two\r\nlines', assigneeId: member.id, dueDate: '2027-01-02', priority: 'HIGH' },
      { title: '=1+1', description: null, assigneeId: member.id, dueDate: null, priority: 'MEDIUM' },
      { title: 'Three', assigneeId: owner.id, reporterId: owner.id, status: 'TODO', version: 0 },
    ])
    const history = (await world.as(owner).get(`/tasks/${tasks[0].id}/activities`)).expect(200)
    expect(history).toMatchObject([{ action: 'TASK_CREATED', newValue: 'One' }])
    expect(await newsOf(member)).toEqual(['2 imported tasks are assigned to you'])
    expect(await newsOf(owner)).toEqual([])
  })

  test('that was sent as a table comes back, semicolons included', async () => {
    ;(await importTasks('title;description;priority\n@One;a;LOW\n-5;"b;c"\n')).expect(201)
    const sent = (await world.as(owner).get(`/projects/${project.id}/tasks?sort=id`, CSV)).expect(200)
    const other = await world.givenProject(owner)
    const report = (await send(owner, `/projects/${other.id}/tasks/import`, sent)).expect(201)
    expect(report).toMatchObject({ rows: 2, created: 2, ignored: expect.arrayContaining(['id', 'assigneeName']) })
    const tasks = (await world.as(owner).get(`/projects/${other.id}/tasks?sort=id`)).expect(200)
    expect(tasks).toMatchObject([
      { title: '@One', description: 'a', priority: 'LOW' },
      { title: '-5', description: 'b;c', priority: 'MEDIUM' },
    ])
  })

  test('with mistakes is refused with all of them, and a dry run says the same', async () => {
    const stranger = await world.givenUser(tenant)
    const table = [
      'title,assignee,dueDate,priority,color',
      'Sound,,,,',
      ',,2027-02-30,SOON,',
      `Two,${stranger.username},,,`,
      'Three,nobody,2027-01-01,,,more',
    ].join('\n')
    const errors = [
      { row: 3, column: 'title', message: 'is required' },
      { row: 3, column: 'priority', message: expect.stringContaining('must be one of LOW') },
      { row: 3, column: 'dueDate' },
      { row: 4, column: 'assignee', message: 'must be a member of the project who can read its tasks' },
      { row: 5, column: null, message: 'The row has more cells than the header' },
    ]
    const dry = (await importTasks(table, DRY)).expect(200)
    expect(dry).toMatchObject({ rows: 4, created: 0, ignored: ['color'] })
    expect(dry.errors).toHaveLength(errors.length)
    for (const error of errors) expect(dry.errors).toContainEqual(expect.objectContaining(error))

    const { details } = (await importTasks(table)).expect(400, 'IMPORT_REFUSED')
    expect(details.map(({ row, column, message }: any) => ({ row, column, message }))).toEqual(
      dry.errors.map(({ row, column, message }: any) => ({ row, column, message })),
    )
    expect(await titles()).toEqual([])
    const chinese = (await importTasks(table, DRY, owner, { 'accept-language': 'zh-CN' })).expect(200)
    for (const { message } of chinese.errors) expect(message).toMatch(/\p{Script=Han}/u)
  })

  test.each([
    ['nothing', '', [{ row: 1, column: null }]],
    ['a column twice', 'title,title\na,b', [{ row: 1, column: 'title', message: 'is there twice' }]],
    ['an open quotation mark', 'title\n"a', [{ column: null, message: expect.stringMatching(/quotation mark/) }]],
    ['what is not UTF-8', Buffer.from([0x74, 0xff]), [{ row: 1, message: 'The table is not valid text' }]],
    ['too many rows', `title\n${'a\n'.repeat(5001)}`, [{ row: 1, message: 'A table has at most 5000 rows' }]],
    ['a hundred mistakes and more', `title,priority\n${',x\n'.repeat(200)}`, expect.objectContaining({ length: 100 })],
  ])('with %s is refused', async (_, table, errors) => {
    const found = (await importTasks(table, DRY)).expect(200).errors
    if (Array.isArray(errors)) expect(found).toMatchObject(errors)
    else expect(found).toHaveLength(100)
    ;(await importTasks(table)).expect(400, 'IMPORT_REFUSED')
    expect(await titles()).toEqual([])
  })

  test('is for those who may create tasks there', async () => {
    const stranger = await world.givenUser(tenant)
    ;(await importTasks('title\na', '', stranger)).expect(404, 'NOT_FOUND')
    ;(await importTasks('title\na', DRY, stranger)).expect(404, 'NOT_FOUND')
    ;(await importTasks('title\na', '', (await world.givenTenant()).administrator)).expect(404, 'NOT_FOUND')
    const { version } = (await world.as(owner).get(`/projects/${project.id}`)).expect(200)
    ;(await world.as(owner).put(`/projects/${project.id}/archive?version=${version}`)).expect(200)
    ;(await importTasks('title\na')).expect(409, 'PROJECT_ARCHIVED')
    ;(await importTasks('title\na', DRY)).expect(409, 'PROJECT_ARCHIVED')
    ;(await world.as(owner).post(`/projects/${project.id}/tasks/import`, {})).expect(415)
  })

  test('is imported once under its key, and a dry run does not use the key up', async () => {
    const headers = { 'idempotency-key': 'once' }
    for (const _ of [1, 2]) (await importTasks('title\na', DRY, owner, headers)).expect(200)
    ;(await importTasks('title\na', '', owner, headers)).expect(201)
    ;(await importTasks('title\na', '', owner, headers)).expect(409, 'IDEMPOTENCY_KEY_REUSED')
    expect(await titles()).toEqual(['a'])
  })

  test('of five thousand rows is imported, and one mistake leaves nothing of it', async () => {
    const rows = Array.from({ length: 5000 }, (_, at) => `Task ${at},${member.username}`)
    ;(await importTasks(['title,assignee', ...rows.with(4999, 'Last,nobody')].join('\n'))).expect(400, 'IMPORT_REFUSED')
    const count = () => world.look.count('select count(*) from tasks where tenant_id = $1', [tenant.id])
    expect(await count()).toBe(0)
    expect((await importTasks(['title,assignee', ...rows].join('\n'))).expect(201).created).toBe(5000)
    expect(await count()).toBe(5000)
    expect(await newsOf(member)).toEqual(['5000 imported tasks are assigned to you'])
  })

  test('two imports at the same time both succeed, each whole', async () => {
    const table = (name: string) => `title,assignee\n${`${name},${member.username}\n`.repeat(50)}`
    const [one, two] = await Promise.all([importTasks(table('One')), importTasks(table('Two'), '', member)])
    for (const answer of [one, two]) expect(answer.expect(201).created).toBe(50)
    const all = await titles()
    expect(all.filter((title: string) => title === 'One')).toHaveLength(50)
    expect(all).toHaveLength(100)
  })
})

describe('a table of people', () => {
  const people = async () => {
    const { items } = (await world.as(tenant.administrator).get('/users?pageSize=100')).expect(200)
    return items.map(({ username }: any) => username)
  }

  test.skipIf(!isHere('invitations'))('makes those with a password, and invites the others', async () => {
    const table =
      'username,password,nickname,email,roles,phone\nann,correct horse,Ann,ann@a.example,user; tenant-admin,+49 30\n,,,ben@a.example,,\n'
    expect((await importUsers(table, DRY)).expect(200)).toEqual({ rows: 2, created: 0, ignored: [], errors: [] })
    expect(await people()).not.toContain('ann')
    expect((await importUsers(table)).expect(201)).toEqual({ rows: 2, created: 2, ignored: [], errors: [] })
    const { items } = (await world.as(tenant.administrator).get('/users?keyword=ann')).expect(200)
    expect(items).toMatchObject([
      { username: 'ann', nickname: 'Ann', phone: '+49 30', roles: ['tenant-admin', 'user'], status: 'active' },
    ])
    const login = { tenantCode: tenant.code, username: 'ann', password: 'correct horse' }
    ;(await world.anyone.post('/auth/login', login)).expect(200)
    const invited = (await world.as(tenant.administrator).get('/invitations')).expect(200)
    expect(invited).toMatchObject([{ email: 'ben@a.example', status: 'pending', roles: ['user'] }])
  })

  test.skipIf(!isHere('invitations'))('a dry run names what the database refuses, too', async () => {
    ;(await world.as(tenant.administrator).post('/invitations', { email: 'ben@a.example' })).expect(201)
    const table = 'email\nann@a.example\nben@a.example'
    const { errors } = (await importUsers(table, DRY)).expect(200)
    expect(errors).toMatchObject([{ row: 3, column: 'email' }])
    const { details } = (await importUsers(table)).expect(400, 'IMPORT_REFUSED')
    expect(details).toMatchObject(errors)
  })

  test.each([' secret-1 ', "'=abcdef"])('keeps the password %j as it is', async (password) => {
    ;(await importUsers(`username,password\nann,${password}`)).expect(201)
    const login = { tenantCode: tenant.code, username: 'ann', password }
    ;(await world.anyone.post('/auth/login', login)).expect(200)
  })

  test('with mistakes is refused with all of them', async () => {
    const before = await people()
    const table = [
      'username,password,email,roles',
      `${member.username},correct horse,,`,
      'cat,correct horse,,nonsense',
      'dan,correct horse,,',
      'DAN,correct horse,,',
      'eve,,,',
      ',correct horse,,',
      'fay,x,no address,',
    ].join('\n')
    const { errors } = (await importUsers(table, DRY)).expect(200)
    expect(errors.map(({ row, column }: any) => `${row} ${column}`)).toEqual(
      expect.arrayContaining(['8 password', '8 email']),
    )
    const sound = table.split('\n').slice(0, -1).join('\n')
    const found = (await importUsers(sound, DRY)).expect(200).errors
    expect(found.map(({ row, column }: any) => `${row} ${column}`)).toEqual([
      '2 username',
      '3 roles',
      '5 username',
      '6 password',
      '7 username',
    ])
    ;(await importUsers(sound)).expect(400, 'IMPORT_REFUSED')
    expect(await people()).toEqual(before)
  })

  test('gives no rights that its sender lacks, and has at most two hundred passwords', async () => {
    const role = await world.givenRole(tenant, ['user:create', 'user:list'])
    const clerk = await world.givenUser(tenant, role)
    const { errors } = (await importUsers('username,password,roles\nann,correct horse,admin', DRY, clerk)).expect(200)
    expect(errors).toMatchObject([{ row: 2, column: 'roles' }])
    const unnamed = (await importUsers('username,password\nann,correct horse', '', clerk)).expect(400, 'IMPORT_REFUSED')
    expect(unnamed.details).toMatchObject([{ row: 2, column: 'roles' }])
    ;(await importUsers('username\na', '', owner)).expect(403, 'PERMISSION_DENIED')
    const many = Array.from({ length: 201 }, (_, at) => `ann${at},correct horse`)
    const { details } = (await importUsers(['username,password', ...many].join('\n'))).expect(400, 'IMPORT_REFUSED')
    expect(details).toMatchObject([{ row: 1, column: 'password' }])
  })

  test('two imports of the same person: one succeeds, the other names the row', async () => {
    const table = 'username,password\nann,correct horse\nben,correct horse'
    const answers = await Promise.all([importUsers(table), importUsers(table)])
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 400])
    const { details } = answers.find(({ status }) => status === 400)!.expect(400, 'IMPORT_REFUSED')
    expect(details).toMatchObject([
      { row: 2, column: 'username' },
      { row: 3, column: 'username' },
    ])
    expect((await people()).filter((name: string) => /^(ann|ben)$/.test(name))).toHaveLength(2)
  })
})
