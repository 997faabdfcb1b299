import type { Member } from './fill.ts'
import type { Sender } from './load.ts'

/** One kind of request that is measured. */
export interface Work {
  name: string
  title: string
  /** one sender for each connection; both servers get the same ones, so versions go on where the other has left them */
  senders: Sender[]
  /** a request whose answer must be the same from both servers: turn 0 for the first, turn 1 for the second */
  sample(member: Member, turn: number): Request
  /** fields of the answer that differ by nature */
  differs: string[]
}

export interface Request {
  method: string
  path: string
  token: string
  body?: object
}

/** The four works, for people who take turns on all connections. */
export function works(members: Member[], connections: number): Work[] {
  const everybody = (send: (member: Member, turn: number) => Request) =>
    Array.from({ length: connections }, (_, connection) => rotating(members, connection, send))
  const draft = { title: 'Write it down', description: 'So that it is not forgotten.', priority: 'HIGH' }
  const list = ({ token, quietProjects }: Member, turn: number) => ({
    method: 'GET',
    path: `/api/v1/projects/${pick(quietProjects, turn)}/tasks?page=1&pageSize=20`,
    token,
  })
  const read = ({ token, quietTasks }: Member, turn: number) => ({
    method: 'GET',
    path: `/api/v1/tasks/${pick(quietTasks, turn * 31)}`,
    token,
  })
  const create = ({ token, busyProjects }: Member, turn: number) => ({
    method: 'POST',
    path: `/api/v1/projects/${pick(busyProjects, turn)}/tasks`,
    token,
    body: draft,
  })
  return [
    {
      name: 'W1',
      title: 'a page of tasks with total',
      senders: everybody(list),
      sample: (member) => list(member, 0),
      differs: [],
    },
    {
      name: 'W2',
      title: 'one task',
      senders: everybody(read),
      sample: (member) => read(member, 0),
      differs: [],
    },
    {
      name: 'W3',
      title: 'create a task',
      senders: everybody(create),
      sample: (member) => create(member, 0),
      differs: ['id', 'createdAt', 'updatedAt'],
    },
    {
      name: 'W4',
      title: 'update with version',
      senders: Array.from({ length: connections }, (_, connection) => updating(members, connection)),
      // The oldest task belongs to no connection.
      sample: ({ token, busyTasks }, turn) => update(busyTasks.at(-1)!, turn, token),
      differs: ['title', 'version', 'updatedAt'],
    },
  ]
}

function pick(ids: number[], turn: number): number {
  return ids[turn % ids.length]!
}

/** Requests are built once and sent again and again, each time another person's. */
function rotating(members: Member[], connection: number, send: (member: Member, turn: number) => Request): Sender {
  const rounds = 8
  const requests = Array.from({ length: members.length * rounds }, (_, at) =>
    onTheWire(send(members[(at + connection) % members.length]!, connection + Math.floor(at / members.length))),
  )
  let at = 0
  return { next: () => requests[at++ % requests.length]!, landed() {} }
}

/** A connection changes one task of each member, which no other connection touches, and knows its version. */
function updating(members: Member[], connection: number): Sender {
  const tasks = members.map(({ token, busyTasks }) => ({ id: busyTasks[connection]!, token, version: 0 }))
  let at = connection
  return {
    next() {
      const { id, version, token } = tasks[at % tasks.length]!
      return onTheWire(update(id, version, token))
    },
    landed() {
      tasks[at++ % tasks.length]!.version++
    },
  }
}

function update(id: number, version: number, token: string): Request {
  const body = { version, title: `Changed ${version + 1} times` }
  return { method: 'PUT', path: `/api/v1/tasks/${id}`, token, body }
}

function onTheWire({ method, path, token, body }: Request): string {
  const text = body === undefined ? '' : JSON.stringify(body)
  const kind = body === undefined ? '' : `Content-Type: application/json\r\nContent-Length: ${text.length}\r\n`
  return `${method} ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${token}\r\n${kind}\r\n${text}`
}
