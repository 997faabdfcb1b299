import type { Member } from './fill.ts'
import type { Sender } from './load.ts'

/** One kind of request that is measured. */
export interface Work {
  name: string
  title: string
  /** as Fastify writes the address */
  route: string
  /**
   * one sender for each connection; both servers get the same ones, so versions continue where the other server left
   * them
   */
  senders: Sender[]
  /**
   * a request whose answer must be the same from both servers; turn 0 for the bare routes, 1 and 2 for the two servers
   */
  sample(turn: number): Request
  /** fields of the answer that differ by nature */
  differs: string[]
}

export interface Request {
  method: string
  path: string
  headers: Record<string, string>
  body?: object
}

export interface Setting {
  members: Member[]
  connections: number
  /** pages of a tenant's blog, and the codes of the tenants */
  blogPages: number
  tenantCodes: string[]
}

/** Names, which Atrium returns beside ids. */
const NAMES = ['assigneeName', 'reporterName']
const DRAFT = { title: 'Write it down', description: 'So that it is not forgotten.', priority: 'HIGH' }
/** Tenants whose first page is requested repeatedly. */
const MOST_READY = 50

/** The works, for people who take turns on all connections: each asks again after all others have. */
export function works({ members, connections, blogPages, tenantCodes }: Setting): Work[] {
  const everybody = (send: (member: Member, turn: number) => Request) =>
    Array.from({ length: connections }, (_, connection) => {
      let at = connection
      const next = () => send(members[at % members.length]!, connection + Math.floor(at / members.length))
      return sender(next, () => (at += connections))
    })
  const list = ({ token, quietProjects }: Member, turn: number) =>
    get(`/api/v1/projects/${pick(quietProjects, turn)}/tasks?page=1&pageSize=20`, token)
  const read = ({ token, quietTasks }: Member, turn: number) =>
    get(`/api/v1/tasks/${pick(quietTasks, turn * 31)}`, token)
  const create = ({ token, busyProjects }: Member, turn: number) =>
    send('POST', `/api/v1/projects/${pick(busyProjects, turn)}/tasks`, token, DRAFT)
  const first = members[0]!

  return [
    {
      name: 'W1',
      title: 'a page of tasks with total',
      route: '/api/v1/projects/:id/tasks',
      senders: everybody(list),
      sample: () => list(first, 0),
      differs: NAMES,
    },
    {
      name: 'W2',
      title: 'one task',
      route: '/api/v1/tasks/:id',
      senders: everybody(read),
      sample: () => read(first, 0),
      differs: NAMES,
    },
    {
      name: 'W3',
      title: 'create a task',
      route: '/api/v1/projects/:id/tasks',
      senders: everybody(create),
      sample: () => create(first, 0),
      differs: ['id', 'createdAt', 'updatedAt', ...NAMES],
    },
    {
      name: 'W4',
      title: 'update with version',
      route: '/api/v1/tasks/:id',
      senders: Array.from({ length: connections }, (_, connection) => updating(members, connection, connections)),
      // The oldest task belongs to no connection.
      sample: (turn) => update(first.busyTasks.at(-1)!, turn, first.token),
      differs: ['title', 'version', 'updatedAt', ...NAMES],
    },
    {
      name: 'W5',
      title: 'a blog page that is ready',
      route: '/api/v1/public/blog',
      senders: together(connections, Math.min(MOST_READY, tenantCodes.length), (at) => blog(tenantCodes[at]!, 1)),
      sample: () => blog(tenantCodes[0]!, 1),
      differs: [],
    },
    {
      name: 'W5c',
      title: 'a blog page, more than are kept',
      route: '/api/v1/public/blog',
      senders: together(connections, tenantCodes.length * blogPages, (at) =>
        blog(tenantCodes[at % tenantCodes.length]!, 1 + Math.floor(at / tenantCodes.length)),
      ),
      sample: () => blog(tenantCodes[0]!, 2),
      differs: [],
    },
  ]
}

/** This many of them, spread evenly. */
export function everyNth<T>(all: T[], most: number): T[] {
  const step = Math.max(1, Math.floor(all.length / most))
  return all.filter((_, at) => at % step === 0).slice(0, most)
}

/** People who create tasks for somebody else, on so many connections. */
export function assigning(members: Member[], connections: number, assigneeOf: (tenant: number) => number): Sender[] {
  return Array.from({ length: connections }, (_, connection) => {
    let at = connection
    const next = () => {
      const { token, tenant, busyProjects } = members[at % members.length]!
      const body = { ...DRAFT, assigneeId: assigneeOf(tenant) }
      return send('POST', `/api/v1/projects/${pick(busyProjects, at)}/tasks`, token, body)
    }
    return sender(next, () => (at += connections))
  })
}

function sender(next: () => Request, landed: () => unknown): Sender {
  return { next: () => onTheWire(next()), landed: () => void landed() }
}

/** All connections request the same pages in the same order, so that each page comes again after all others. */
function together(connections: number, pages: number, ask: (page: number) => Request): Sender[] {
  let at = 0
  return Array.from({ length: connections }, () =>
    sender(
      () => ask(at++ % pages),
      () => {},
    ),
  )
}

/** A connection changes tasks that no other connection touches, one of each tenant, and knows their versions. */
function updating(members: Member[], connection: number, connections: number): Sender {
  const versions = new Map<number, number>()
  let at = connection
  const current = () => {
    const { token, busyTasks } = members[at % members.length]!
    const id = busyTasks[connection]!
    return { id, token, version: versions.get(id) ?? 0 }
  }
  return sender(
    () => {
      const { id, version, token } = current()
      return update(id, version, token)
    },
    () => {
      const { id, version } = current()
      versions.set(id, version + 1)
      at += connections
    },
  )
}

function pick(ids: readonly number[], turn: number): number {
  return ids[turn % ids.length]!
}

function get(path: string, token: string): Request {
  return { method: 'GET', path, headers: { authorization: `Bearer ${token}` } }
}

function send(method: string, path: string, token: string, body: object): Request {
  return { method, path, headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' }, body }
}

function update(id: number, version: number, token: string): Request {
  return send('PUT', `/api/v1/tasks/${id}`, token, { version, title: `Changed ${version + 1} times` })
}

function blog(tenant: string, page: number): Request {
  return { method: 'GET', path: `/api/v1/public/blog?page=${page}`, headers: { 'x-tenant-code': tenant } }
}

function onTheWire({ method, path, headers, body }: Request): string {
  const text = body === undefined ? '' : JSON.stringify(body)
  const length = body === undefined ? '' : `content-length: ${text.length}\r\n`
  let head = ''
  for (const name in headers) head += `${name}: ${headers[name]}\r\n`
  return `${method} ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\n${head}${length}\r\n${text}`
}
