/**
 * What the database can do: the same statements by the same code, without HTTP, from threads that do not share an event
 * loop. Each repeats the work of its people until its time is over, and reports how often.
 */
import { projectsSeenBy } from '../src/domains/projects/projects.store.ts'
import '../src/domains/index.ts'
import { parentPort, workerData } from 'node:worker_threads'
import pino from 'pino'
import { openScope } from '../src/data/tx/open-scope.ts'
import { transact } from '../src/data/tx/transact.ts'
import { type Database, openDatabase } from '../src/data/wire/database.ts'
import { insertOperation } from '../src/domains/audit/audit.store.ts'
import { listTasks } from '../src/domains/tasks/lists.store.ts'
import { createTask, updateTask } from '../src/domains/tasks/tasks.actions.ts'
import { getTask } from '../src/domains/tasks/tasks.store.ts'
import type { User } from '../src/kernel/actor.ts'
import type { Member } from './fill.ts'

export interface Errand {
  url: string
  role: string
  work: string
  members: Member[]
  /** this thread's share of all concurrent workers, and the index of its first one */
  width: number
  first: number
  seconds: number
}

const { url, role, work, members, width, first, seconds } = workerData as Errand
const DRAFT = { title: 'Write it down', description: 'So that it is not forgotten.', priority: 'HIGH' } as const
const PAGE = { limit: 20, page: 1, before: undefined, counted: true }

const seenBy = (id: number) => projectsSeenBy({ id, isAdministrator: false })

type Step = (database: Database, member: Member, turn: number, slot: number) => Promise<unknown>

const STEPS: Record<string, Step> = {
  W1: (database, { tenant, user, quietProjects }, turn) =>
    listTasks(
      openScope(database, tenant),
      { ...seenBy(user), projectId: quietProjects[turn % quietProjects.length]! },
      PAGE,
    ),
  W2: (database, { tenant, user, quietTasks }, turn) =>
    getTask(openScope(database, tenant), { ...seenBy(user), id: quietTasks[(turn * 31) % quietTasks.length]! }),
  W3: (database, member, turn) =>
    transact(database, commandOf(member, '/projects/1/tasks'), (tx) =>
      createTask(tx, member.busyProjects[turn % member.busyProjects.length]!, DRAFT),
    ),
  W4: (database, member, _turn, slot) => {
    const id = member.busyTasks[slot]!
    const version = versions.get(id) ?? 0
    versions.set(id, version + 1)
    return transact(database, commandOf(member, '/tasks/1'), (tx) =>
      updateTask(tx, id, { version, title: `Again ${version + 1}`, ifMatch: undefined }),
    )
  },
}
const versions = new Map<number, number>()

function commandOf({ tenant, user }: Member, path: string) {
  const actor: User = {
    kind: 'user',
    id: user,
    tenantId: tenant,
    sessionId: 1,
    key: undefined,
    username: 'somebody',
    nickname: null,
    email: null,
    roles: [],
    selfRegistered: false,
    hasSecondFactor: false,
    duty: undefined,
    permissions: new Set(),
    isAdministrator: false,
    isSystemAdministrator: false,
  }
  const operation = { userId: user, username: 'somebody', method: 'PUT', path, route: path, status: 200, duration: 1 }
  return {
    tenantId: tenant,
    actor,
    requestId: 'bench',
    beforeCommit: (tx: Parameters<typeof insertOperation>[0]) =>
      insertOperation(tx, { ...operation, requestId: 'bench', keyPrefix: null, ip: '127.0.0.1', userAgent: '' }),
  }
}

const database = await openDatabase({
  url,
  role,
  readConnections: 4,
  writeConnections: 8,
  transactionConnections: 1,
  flightTimeout: 10_000,
  log: pino({ level: 'silent' }),
})
const step = STEPS[work]!
// Where others have left a version, it goes on there.
if (work === 'W4')
  for (const member of members.slice(0, 50))
    for (let slot = first; slot < first + width; slot++) {
      const id = member.busyTasks[slot]!
      const task = await getTask(openScope(database, member.tenant), { id, ...seenBy(member.user) })
      versions.set(id, task!.version)
    }
let done = 0
const start = performance.now()
await Promise.all(
  Array.from({ length: width }, async (_, n) => {
    const slot = first + n
    for (let turn = slot; performance.now() - start < seconds * 1000; turn += width) {
      await step(database, members[turn % Math.min(50, members.length)]!, turn, slot)
      done++
    }
  }),
)
parentPort!.postMessage(done / ((performance.now() - start) / 1000))
await database.close()
