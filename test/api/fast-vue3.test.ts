import { beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { Answer } from '../support/client.ts'
import * as shape from '../support/fast-vue3.ts'
import { formOf } from '../support/form.ts'
import { fillPath, seedTenant } from '../support/samples.ts'
import { openWorld } from '../support/world.ts'

/**
 * The client that this service must run unchanged: package `packages/effects/api` of the public repository
 * tobe-fe-dalao/fast-vue3, function by function. Each sends what that client sends, and the answer has what its types
 * name. All of it as the development account, in the default tenant, for the client names none.
 */
/** the tokens of the development account */
let session: { accessToken: string; refreshToken: string }
let ids: Record<string, number | string>
const password = 'admin123'

const world = await openWorld({ env: { CONTACT_LIMIT: '0' } })
beforeAll(async () => {
  session = (await send(post('/auth/login', { username: 'admin', password }))).expect(200)
  const home = { id: 1, code: 'default', administrator: world.admin }
  ids = (await seedTenant(world, home, 'furniture')).ids
  ids.led = (await resolved(post('/departments', { name: 'Led', code: 'LED', leaderId: 1 }))).id
})

interface Sent {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  url: string
  /** what goes into the query; the client leaves out what is null or undefined, and nothing else */
  params?: Record<string, string | number | null | undefined>
  /** what goes into the body as JSON; undefined: no body and no content type */
  data?: object | undefined
  headers?: Record<string, string> | undefined
  payload?: Buffer
}
const get = (url: string, params: Sent['params'] = {}): Sent => ({ method: 'GET', url, params })
const post = (url: string, data?: object, headers?: Sent['headers']): Sent => ({ method: 'POST', url, data, headers })
const put = (url: string, data?: object, params: Sent['params'] = {}): Sent => ({ method: 'PUT', url, data, params })
const del = (url: string): Sent => ({ method: 'DELETE', url })

/** Sends as the request client does: on every call the token that it has, whatever the address. */
function send(
  { method, url, params = {}, data, headers, payload }: Sent,
  token = session?.accessToken,
): Promise<Answer> {
  const given = Object.entries(params).filter(([, value]) => value !== null && value !== undefined)
  const query = new URLSearchParams(given.map(([name, value]) => [name, String(value)]))
  return world.anyone.send({
    method,
    url: `/api/v1${url}${given.length > 0 ? `?${query}` : ''}`,
    headers: {
      accept: 'application/json, text/plain, */*',
      ...(token && { authorization: `Bearer ${token}` }),
      ...(data && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(data && { payload: JSON.stringify(data) }),
    ...(payload && { payload }),
  })
}

/** What the client resolves with: `data` of the envelope, or the file. It rejects where the code or status is no success. */
async function resolved(sent: Sent): Promise<any> {
  const { status, body, data } = await send(sent)
  if (status < 200 || status > 299 || (body.code ?? 0) !== 0) throw new Error(`${status}: ${JSON.stringify(body)}`)
  return data
}
let counter = 0
const key = () => ({ 'Idempotency-Key': crypto.randomUUID() })
const unique = (word: string) => `${word}-${++counter}`

function at(path: string, ...kinds: string[]) {
  const own = kinds.map((kind) => ids[kind]!)
  return fillPath(path, own)
}
const newUser = (fields = {}) =>
  resolved(post('/users', { username: unique('user'), password: 'correct horse', ...fields }))
const newDepartment = () => resolved(post('/departments', { name: 'Department', code: unique('D') }))
const newProject = () => resolved(post('/projects', { name: 'Project', code: unique('P') }, key()))
const newTask = async () => resolved(post(`/projects/${(await newProject()).id}/tasks`, { title: 'Task' }))
const newApproval = () => resolved(post('/approvals', { type: 'GENERAL', title: 'Request', departmentId: ids.led }))
const newPending = async () => resolved(post(`/approvals/${(await newApproval()).id}/submit`, undefined, key()))
const newCategory = () => resolved(post('/content/categories', { name: unique('Category'), slug: unique('c') }))
const newArticle = () => resolved(post('/content/articles', { title: 'Article' }))
const newRole = () => resolved(post('/roles', { code: unique('role'), name: 'Role' }))
const newMenu = () => resolved(post('/menus', { name: 'Menu' }))
const newPermission = () => resolved(post('/permissions', { code: `thing:${unique('do')}`, name: 'Do' }))
const form = () => formOf([{ filename: 'note.txt', content: 'hello' }])
const newFile = async () => (await resolved({ method: 'POST', url: '/files', ...form() })).key.split('/')

/** What is sent about things that were just made. */
function onNew<Rest extends unknown[]>(
  how: (url: string, ...rest: Rest) => Sent,
  path: string,
  makes: (() => Promise<any>)[],
  ...rest: Rest
) {
  return async () => {
    const made: number[] = []
    for (const make of makes) made.push((await make()).id)
    return how(fillPath(path, made), ...rest)
  }
}

const account = { email: 'new@example.com', password: 'correct horse' }
const calls: [name: string, answered: z.ZodType, prepare: () => Sent | Promise<Sent>][] = []
const call = (...one: (typeof calls)[number]) => void calls.push(one)

call('auth.login', shape.Tokens, () => post('/auth/login', { username: 'admin', password }))
call('auth.register', shape.Registered, () => post('/auth/register', { username: unique('site-user'), ...account }))
call('auth.me', shape.Me, () => get('/auth/me'))
call('auth.refresh', shape.Tokens, async () => post('/auth/refresh', { refreshToken: (await signIn()).refreshToken }))
call('auth.logout', shape.nothing, async () => {
  const { accessToken, refreshToken } = await signIn()
  return post('/auth/logout', { refreshToken }, { authorization: `Bearer ${accessToken}` })
})

call('user.list', shape.pageOf(shape.User), () =>
  get('/users', { page: 1, pageSize: 10, keyword: undefined, status: undefined }),
)
call('user.detail', shape.User, () => get(at('/users/:id', 'users')))
call('user.create', shape.User, () =>
  post('/users', {
    ...{ username: unique('u'), realName: '', email: '', phone: '', status: 'active' },
    // As `system/user/index.vue` sends it, word for word.
    password: 'changeme',
  }),
)
call(
  'user.update',
  shape.User,
  onNew(put, '/users/:id', [newUser], { realName: '', email: '', phone: '', roleIds: [], status: 'active' }),
)
call('user.delete', shape.nothing, onNew(del, '/users/:id', [newUser]))

call('role.list', shape.pageOf(shape.Role), () => get('/roles', { page: 1, pageSize: 10 }))
call('role.detail', shape.Role, () => get(at('/roles/:id', 'roles')))
call('role.create', shape.Role, () => post('/roles', { name: '运营', code: '', description: '' }))
call('role.update', shape.Role, onNew(put, '/roles/:id', [newRole], { permissionIds: [1, 13, 17] }))
call('role.delete', shape.nothing, onNew(del, '/roles/:id', [newRole]))

call('permission.list', shape.some(shape.Permission), () => get('/permissions'))
call('permission.create', shape.Permission, () => post('/permissions', { code: `thing:${unique('x')}`, name: 'Thing' }))
call('permission.update', shape.Permission, onNew(put, '/permissions/:id', [newPermission], { name: 'Other' }))
call('permission.delete', shape.nothing, onNew(del, '/permissions/:id', [newPermission]))

call('menu.mine', shape.some(shape.Menu), () => get('/menus'))
call('menu.tree', shape.some(shape.Menu), () => get('/menus/tree'))
call('menu.detail', shape.MenuAlone, async () => get(`/menus/${(await newMenu()).id}`))
call('menu.create', shape.MenuAlone, () =>
  post('/menus', {
    parentId: 0,
    name: '菜单',
    path: '',
    icon: '',
    sort: 0,
    type: 'menu',
    permission: '',
    visible: true,
  }),
)
call('menu.update', shape.MenuAlone, onNew(put, '/menus/:id', [newMenu], { name: 'Menu', visible: false }))
call('menu.delete', shape.nothing, onNew(del, '/menus/:id', [newMenu]))

call('tenant.list', shape.some(shape.Tenant), () => get('/tenants'))
call('tenant.create', shape.Tenant, () =>
  post('/tenants', {
    name: 'Tenant',
    code: unique('tenant'),
    plan: 'standard',
    expiredAt: '2030-01-31T00:00:00+08:00',
    adminUsername: 'root',
    adminPassword: 'ten letters',
    adminEmail: 'root@example.com',
  }),
)
call('tenant.update', shape.Tenant, async () => {
  const { id } = await world.givenTenant()
  return put(`/tenants/${id}`, { name: 'Tenant', plan: 'standard', status: 'active', expiredAt: null })
})

call('organization.current', shape.Organization, () => get('/organizations/current'))
call('organization.update', shape.Organization, () =>
  put(at('/organizations/:id', 'organizations'), { name: 'Organization', status: 'active' }),
)

call('department.tree', shape.some(shape.Department), () => get('/departments'))
call('department.members', shape.some(shape.DepartmentMember), () => get(at('/departments/:id/members', 'departments')))
call('department.create', shape.Department, async () =>
  post('/departments', {
    name: '研发部',
    code: unique('RD'),
    leaderId: (await newUser()).id,
    sort: 0,
    status: 'active',
  }),
)
call('department.update', shape.Department, async () => {
  const { id, code } = await newDepartment()
  return put(`/departments/${id}`, { name: 'Renamed', code, sort: 1, status: 'disabled' })
})
call('department.assign', shape.nothing, onNew(put, '/departments/:id/members/:userId', [newDepartment, newUser]))
call('department.removeMember', shape.nothing, onNew(del, '/departments/:id/members/:userId', [newDepartment, newUser]))
call('department.delete', shape.nothing, async () =>
  del(`/departments/${(await resolved(post('/departments', { name: 'D', code: unique('D') }))).id}`),
)

call('project.list', shape.some(shape.Project), () => get('/projects'))
call('project.get', shape.Project, () => get(at('/projects/:id', 'projects')))
call('project.activities', shape.some(shape.ProjectActivity), () => get(at('/projects/:id/activities', 'projects')))
call('project.create', shape.Project, () =>
  post(
    '/projects',
    { name: '项目', code: unique('P'), description: '', startDate: null, endDate: '2026-12-31' },
    key(),
  ),
)
call(
  'project.update',
  shape.Project,
  onNew(put, '/projects/:id', [newProject], {
    name: 'Renamed',
    description: '',
    startDate: null,
    endDate: null,
    version: 0,
  }),
)
call('project.archive', shape.Project, onNew(put, '/projects/:id/archive', [newProject], undefined, { version: 0 }))
call('project.addMember', shape.nothing, onNew(put, '/projects/:id/members/:userId', [newProject, newUser]))
call('project.removeMember', shape.nothing, onNew(del, '/projects/:id/members/:userId', [newProject, newUser]))

call('task.list', shape.some(shape.Task), () => get(at('/projects/:id/tasks', 'projects')))
call('task.get', shape.Task, () => get(at('/tasks/:id', 'tasks')))
call('task.create', shape.Task, () =>
  post(at('/projects/:id/tasks', 'projects'), { title: '任务', description: '', priority: 'MEDIUM', dueDate: null }),
)
call(
  'task.update',
  shape.Task,
  onNew(put, '/tasks/:id', [newTask], {
    title: 'Renamed',
    description: '',
    priority: 'HIGH',
    assigneeId: null,
    dueDate: '2026-12-31',
    version: 0,
  }),
)
call('task.comments', shape.some(shape.TaskComment), () => get(at('/tasks/:id/comments', 'tasks')))
call('task.comment', shape.TaskComment, () => post(at('/tasks/:id/comments', 'tasks'), { content: 'started' }))
call('task.activities', shape.some(shape.TaskActivity), () => get(at('/tasks/:id/activities', 'tasks')))

call('approval.list', shape.some(shape.Approval), () => get('/approvals'))
call('approval.create', shape.Approval, () =>
  post('/approvals', { type: 'GENERAL', title: '审批', departmentId: ids.departments }),
)
call('approval.submit', shape.Approval, onNew(post, '/approvals/:id/submit', [newApproval], undefined, key()))
call('approval.approve', shape.Approval, onNew(post, '/approvals/:id/approve', [newPending], { comment: '' }))
call('approval.reject', shape.Approval, onNew(post, '/approvals/:id/reject', [newPending], { comment: '' }))
call('approval.cancel', shape.Approval, onNew(post, '/approvals/:id/cancel', [newPending]))

call('notification.list', shape.some(shape.Notification), async () => {
  await notifications()
  return get('/notifications')
})
call('notification.unreadCount', shape.UnreadCount, () => get('/notifications/unread-count'))
call('notification.read', shape.ignored, async () => put(`/notifications/${(await notifications())[0].id}/read`))
call('notification.readAll', shape.nothing, () => put('/notifications/read-all'))

call('audit.operations', shape.some(shape.Operation), () => get('/audit/operations'))

call('file.upload', shape.StoredFile, () => ({ method: 'POST', url: '/files', ...form() }))
call('file.download', z.literal('hello'), async () => {
  const [tenantId, filename] = await newFile()
  return get(`/files/${tenantId}/${encodeURIComponent(filename)}`)
})
call('file.delete', shape.nothing, async () => {
  const [tenantId, filename] = await newFile()
  return del(`/files/${tenantId}/${encodeURIComponent(filename)}`)
})

call('content.article', shape.Article, () => get(at('/content/articles/:id', 'articles')))
call('content.articleDetail', shape.Article, () => get(at('/content/articles/:id', 'articles')))
call('content.articles', shape.pageOf(shape.Article), () => get('/content/articles'))
call('content.articleList', shape.pageOf(shape.Article), () =>
  get('/content/articles', { page: 1, pageSize: 10, categoryId: undefined, keyword: undefined, status: 'published' }),
)
call('content.articleCreate', shape.Article, () =>
  post('/content/articles', {
    title: '文章',
    author: '',
    content: ['一', '二'],
    cover: '',
    status: 'draft',
    summary: '',
    tags: [],
  }),
)
call('content.articleUpdate', shape.Article, onNew(put, '/content/articles/:id', [newArticle], { status: 'published' }))
call('content.articleDelete', shape.nothing, onNew(del, '/content/articles/:id', [newArticle]))
call('content.categories', shape.some(shape.Category), () => get('/content/categories'))
call('content.categoryList', shape.some(shape.Category), () => get('/content/categories'))
call('content.categoryCreate', shape.Category, () =>
  post('/content/categories', { name: unique('分类'), slug: unique('cat'), description: '', status: 'active' }),
)
call(
  'content.categoryUpdate',
  shape.Category,
  onNew(put, '/content/categories/:id', [newCategory], { description: null, status: 'inactive' }),
)
call('content.categoryDelete', shape.nothing, onNew(del, '/content/categories/:id', [newCategory]))

call('portal.home', shape.Home, () => get('/public/home'))
call('portal.features', shape.some(shape.Feature), () => get('/public/features'))
call('portal.product', shape.Product, () => get('/public/product'))
call('portal.pricing', shape.some(shape.Plan), () => get('/public/pricing'))
call('portal.faq', shape.some(shape.Question), () => get('/public/faq'))
call('portal.docs', shape.some(shape.Section), () => get('/public/docs'))
call('portal.about', shape.About, () => get('/public/about'))
call('portal.blogList', shape.Blog, () => get('/public/blog', { page: 1, pageSize: 100 }))
call('portal.blog', shape.Post, () => get(at('/public/blog/:id', 'blog')))
call('portal.blogComments', shape.some(shape.BlogComment), () => get(at('/public/blog/:id/comments', 'blog')))
call('portal.createBlogComment', shape.BlogComment, () =>
  post(at('/blog/:id/comments', 'blog'), { content: '很有帮助' }),
)
call('portal.checkout', shape.Order, () => post('/payments/checkout', { channel: 'alipay', planId: 2 }))
call('portal.contact', shape.Receipt, () =>
  post('/public/contact', { email: 'dev@example.com', name: '开发者', message: '[部署] 希望了解部署方案' }),
)

call('analytics.dashboardStats', shape.Dashboard, () => get('/dashboard/stats'))
call('analytics.overview', shape.Analytics, () => get('/analytics/overview', { days: 30 }))
call('analytics.dataOverview', shape.DataOverview, () => get('/data/overview'))

call('log.login', shape.pageOf(shape.LoginLog), () => get('/log/login', { page: 1, pageSize: 10, keyword: undefined }))
call('log.operation', shape.pageOf(shape.OperationLog), () => get('/log/operation', { module: 'User' }))
call('log.error', shape.pageOf(shape.ErrorLog), () => get('/log/error', { status: 'pending' }))

call('system.configList', shape.pageOf(shape.Config), () => get('/config/list', { keyword: 'site' }))
call('system.deptList', shape.some(shape.DemoDepartment), () => get('/dept/list'))
call('system.dictList', shape.pageOf(shape.Dictionary), () => get('/dict/list', { page: 1, pageSize: 10 }))
call('system.noticeList', shape.pageOf(shape.Notice), () => get('/notice/list', { page: 1, type: 'notice' }))

call('monitor.online', shape.Online, () => get('/monitor/online'))
call('monitor.server', shape.Server, () => get('/monitor/server'))

const signIn = async () => (await send(post('/auth/login', { username: 'admin', password }), '')).expect(200)

/** A submitted request waits for its leader, who is notified after the commit. @returns all their notifications */
async function notifications(): Promise<any[]> {
  await newPending()
  await expect.poll(() => resolved(get('/notifications'))).not.toEqual([])
  return resolved(get('/notifications'))
}

describe('the client calls', () => {
  test('one hundred and three functions', () => {
    expect(new Set(calls.map(([name]) => name)).size).toBe(103)
  })

  test.each(calls)('%s', async (_, answered, prepare) => {
    const sent = await prepare()
    const data = await resolved(sent)
    const { error } = answered.safeParse(data)
    expect(error && z.prettifyError(error)).toBeUndefined()
  })
})

describe('the pages send', () => {
  test('a filter that was reset, or never set, as an empty one', async () => {
    for (const [path, params] of [
      ['/content/articles', { keyword: undefined, categoryId: undefined, status: '', page: 1, pageSize: 10 }],
      ['/users', { keyword: '', status: '' }],
      ['/log/error', { status: '' }],
      ['/log/operation', { keyword: '', module: '' }],
      ['/public/blog', { category: '', keyword: '' }],
    ] as const)
      expect((await resolved(get(path, params))).total, path).toBeGreaterThan(0)
    const all = await resolved(get('/public/blog', { category: '全部' }))
    expect(all.total).toBe((await resolved(get('/public/blog'))).total)
  })

  test('an article back as it was read, its text cut at blank lines', async () => {
    const { id, author, categoryId, cover, status, summary, tags, title } = await newArticle()
    const form = { author, categoryId, content: ''.split('\n\n'), cover, status, summary, tags, title }
    const saved = await resolved(put(`/content/articles/${id}`, form))
    expect(saved).toMatchObject({ cover: null, categoryId: null, content: [''], summary: null })
  })

  test.each([
    ['/users/:id', newUser],
    ['/roles/:id', newRole],
    ['/menus/:id', newMenu],
    ['/departments/:id', newDepartment],
    ['/content/articles/:id', newArticle],
    ['/content/categories/:id', newCategory],
    ['/permissions/:id', newPermission],
    ['/projects/:id', newProject],
    ['/tasks/:id', newTask],
  ])('a whole record back as it was read: %s', async (path, make) => {
    const read = await make()
    const written = await resolved(put(path.replace(':id', String(read.id)), read))
    const { version, updatedAt } = written
    expect(written).toEqual({ ...read, ...(updatedAt && { updatedAt }), ...(version !== undefined && { version }) })
  })
})

describe('the pages show', () => {
  const chinese = { 'accept-language': 'zh-CN,zh;q=0.9,en;q=0.8' }

  test('the categories of the blog behind the word that they compare with', async () => {
    const { categories } = await resolved(get('/public/blog'))
    expect(categories[0]).toBe('全部')
    expect(new Set(categories).size).toBe(categories.length)
    for (const word of ['全部', 'All'])
      (await send(post('/content/categories', { name: word, slug: unique('all') }))).expect(400, 'VALIDATION_FAILED')
  })

  test('under each menu the view that it names', async () => {
    const components = (menus: any[]): string[] =>
      menus.flatMap(({ component, children = [] }) => [...(component ? [component] : []), ...components(children)])
    expect(components(await resolved(get('/menus'))).filter((name) => !VIEWS.includes(name))).toEqual([])
  })

  test('demo data that their filters find and their tags have colours for', async () => {
    const read = async (path: string, params: Sent['params'] = {}, headers: Sent['headers'] = chinese) =>
      (await send({ ...get(path, params), headers })).expect(200)
    for (const module of ['用户管理', '角色管理', '菜单管理', '系统设置', '日志管理'])
      expect((await read('/log/operation', { module })).items[0]).toMatchObject({ module })
    for (const type of ['通知', '公告']) expect((await read('/notice/list', { type })).items[0]).toMatchObject({ type })
    const { recent } = await read('/data/overview')
    expect(new Set(recent.map(({ status }: any) => status))).toEqual(new Set(['已完成', '待支付']))
    // Each language's words find the same rows in the other.
    const module = { module: 'User', pageSize: 100 }
    expect((await read('/log/operation', module)).total).toBe(
      (await read('/log/operation', { ...module, module: '用户管理' }, {})).total,
    )
  })

  test('what is there from the start in their language, and keep it when a form sends it back', async () => {
    const read = async (path: string, headers: Sent['headers'] = chinese) =>
      (await send({ ...get(path), headers })).expect(200)
    const change = async (path: string, body: object) =>
      (await send({ ...put(path, body), headers: chinese })).expect(200)
    const home = (await read('/menus')).find(({ path }: any) => path === '/home')
    const role = (await read('/roles?pageSize=100')).items.find(({ code }: any) => code === 'user')
    expect([home.name, role.name]).toEqual(['首页', '普通用户'])

    for (const [path, form, name] of [
      [`/menus/${home.id}`, home, 'Home'],
      [`/roles/${role.id}`, role, 'User'],
    ]) {
      expect((await change(path, form)).name).toBe(form.name)
      expect((await read(path, {})).name).toBe(name)
    }
    const renamed = await change(`/menus/${home.id}`, { name: '起点' })
    expect([renamed.name, (await read(`/menus/${home.id}`, {})).name]).toEqual(['起点', '起点'])
    await change(`/menus/${home.id}`, { name: 'Home' })
  })

  test('the prices in the language of the visitor, until the tenant writes its own', async () => {
    const prices = async (headers: Sent['headers']) =>
      (await send({ ...get('/public/pricing'), headers }, '')).expect(200)
    for (const _ of ['made', 'ready']) {
      expect((await prices(chinese))[1]).toMatchObject({ name: '团队版', price: '¥299', period: '/ 年' })
      expect((await prices({}))[1]).toMatchObject({ name: 'Team', price: '¥299', period: '/ year' })
    }
    const order = await send(post('/payments/checkout', { channel: 'card', planId: 2 }, chinese))
    expect(order.expect(201)).toMatchObject({ planName: '团队版', amountCents: 29_900 })

    const own = (await prices({})).map((plan: any) => ({ ...plan, name: `Our ${plan.name}` }))
    await resolved(put('/content/portal/pricing', own))

    expect([(await prices(chinese))[1].name, (await prices({}))[1].name]).toEqual(['Our Team', 'Our Team'])
  })
})

/** The views of its two applications that a menu can name, by their files below `views`. */
const VIEWS = [
  ...['home', 'dashboard', 'analytics', 'projects', 'approvals', 'notifications', 'data', 'settings', 'profile'],
  ...['about', 'system/user', 'system/role', 'system/menu', 'system/dept', 'system/dict', 'system/config'],
  ...['system/notice', 'content/article', 'content/category', 'monitor/online', 'monitor/server', 'log/login'],
  ...['log/operation', 'log/error'],
]
  .map((folder) => `/${folder}/index`)
  .concat(['organization', 'files', 'audit', 'tenants'].map((file) => `/enterprise/${file}`))

test('lists come in the order that was asked for, page by page, and users by their role', async () => {
  const role = await newRole()
  for (const username of ['sorted-b', 'sorted-c', 'sorted-a']) await newUser({ username, roleIds: [role.id] })
  const users = async (params: Sent['params']) => {
    const { items } = await resolved(get('/users', { roleId: role.id, ...params }))
    return items.map(({ username }: any) => username.at(-1)).join()
  }
  expect(await users({})).toBe('a,c,b')
  expect([await users({ sort: 'id' }), await users({ sort: 'username' })]).toEqual(['b,c,a', 'a,b,c'])
  const page = { sort: '-username', pageSize: 2 }
  expect([await users(page), await users({ ...page, page: 2 })]).toEqual(['c,b', 'a'])
  ;(await send(get('/users', { sort: 'passwordHash' }))).expect(400, 'VALIDATION_FAILED')
  expect((await resolved(get('/roles', { sort: 'code' }))).items[0].code).toBe('admin')

  for (const path of [at('/projects/:id/tasks', 'projects'), '/approvals', '/content/categories']) {
    const rows: any[] = await resolved(get(path, { sort: 'id' }))
    expect(rows, path).toEqual(rows.toSorted((a, b) => a.id - b.id))
  }
})

test('beside each id of a person how they are called, in answers of reads and of changes', async () => {
  const [grace, quiet] = [await newUser({ nickname: 'Grace' }), await newUser({ nickname: '' })]
  const same = async (path: string, changed: any, names: object) => {
    expect(changed).toMatchObject(names)
    expect(await resolved(get(path))).toEqual(changed)
  }
  const project = await newProject()
  const projectPath = `/projects/${project.id}`
  const me = project.ownerName
  expect((await resolved(get('/auth/me'))).nickname || 'admin').toBe(me)
  await same(projectPath, project, { ownerName: me })
  for (const { id } of [grace, quiet]) await resolved(put(`${projectPath}/members/${id}`))

  const task = await resolved(post(`${projectPath}/tasks`, { title: 'Task', assigneeId: grace.id }))
  const path = `/tasks/${task.id}`
  await same(path, task, { assigneeName: 'Grace', reporterName: me })
  const changed = (patch: object, version: number) => resolved(put(path, { ...patch, version }))
  await same(path, await changed({ assigneeId: quiet.id }, 0), { assigneeName: quiet.username })
  await same(path, await changed({ assigneeId: null }, 1), { assigneeName: null })
  expect((await resolved(get(`${projectPath}/tasks`)))[0]).toMatchObject({ assigneeName: null, reporterName: me })
  for (const place of [path, projectPath])
    for (const { actorName } of await resolved(get(`${place}/activities`))) expect(actorName).toBe(me)
  await same(projectPath, await resolved(put(projectPath, { ownerId: grace.id, version: 0 })), { ownerName: 'Grace' })

  const led = await newDepartment()
  const departments = async () => (await resolved(get('/departments'))).find(({ id }: any) => id === led.id)
  expect(await departments()).toMatchObject({ leaderName: null })
  const form = { name: 'Names', code: led.code, leaderId: quiet.id }
  expect(await resolved(put(`/departments/${led.id}`, form))).toMatchObject({ leaderName: quiet.username })
  expect(await departments()).toMatchObject({ leaderName: quiet.username })

  const approval = await newPending()
  expect(approval).toMatchObject({ applicantName: me, waitingFor: { approverId: 1, approverName: me } })
  expect(approval.steps[0]).toMatchObject({ approverName: me, actedByName: null })
  const approved = await resolved(post(`/approvals/${approval.id}/approve`))
  await same(`/approvals/${approval.id}`, approved, { applicantName: me, waitingFor: { approverName: null } })
  expect(approved.steps).toMatchObject([{ actedByName: me }, { actedByName: null }])
})

test('one line of a proxy names the tenant of its pages, on sign-in too; a stale token keeps nobody out', async () => {
  const tenant = await world.givenTenant()
  await world.setRegistration(tenant, 'open')
  const proxied = { 'X-Tenant-Code': tenant.code }
  const person = { username: unique('site-user'), ...account }
  const { id } = (await send(post('/auth/register', person, proxied), 'stale')).expect(201)
  const credentials = { username: person.username, password: person.password }
  const pair = (await send(post('/auth/login', credentials, proxied), 'stale')).expect(200)
  const again = (await send(post('/auth/refresh', { refreshToken: pair.refreshToken }, proxied), 'stale')).expect(200)
  expect((await send(get('/auth/me'), again.accessToken)).expect(200)).toMatchObject({ id, tenantId: tenant.id })
  // What the body names goes before it, and a name that nobody has is refused.
  ;(await send(post('/auth/login', { ...credentials, tenantCode: 'default' }, proxied), '')).expect(401)
  ;(await send(post('/auth/login', credentials, { 'X-Tenant-Code': 'nobody' }), '')).expect(404, 'TENANT_NOT_FOUND')
})

test('the form that edits a user takes all roles away, because it sends none; the last administrator keeps theirs', async () => {
  const [{ id: role }] = (await resolved(get('/roles', { keyword: 'user' }))).items
  const { id } = await newUser({ roleIds: [role], phone: '1' })
  const form = { realName: '', email: '', phone: '2', roleIds: [], status: 'active' }
  expect(await resolved(put(`/users/${id}`, form))).toMatchObject({ phone: '2', roles: [] })
  const refused = await send(put('/users/1', form))
  expect([refused.status, refused.body.error.type]).toEqual([409, expect.stringMatching(/RESERVED|LAST_ADMINISTRATOR/)])
})
