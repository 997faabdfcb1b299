import { setTimeout as sleep } from 'node:timers/promises'
import { TASK_MOVES } from '../../src/domains/tasks/tasks.rules.ts'
import type { TaskStatus } from '../../src/domains/tasks/tasks.schemas.ts'
import { endsWithFile } from './clean-up.ts'
import type { Answer } from './client.ts'
import { obeying } from './obedient.ts'
import { until } from './patience.ts'
import type { Remote, RemoteClient } from './remote.ts'

/**
 * Many clients who work concurrently, and write down what they did and what they were answered. Afterwards that is
 * compared with the database (`invariants.ts`): the method of Jepsen, with SQL instead of a model.
 *
 * Every write carries its own marker, the id of its request, in the text that it stores; and every text of a tenant
 * carries that tenant's canary, so that each answer can be searched for another tenant's.
 */
export interface Entry {
  /** the X-Request-Id, and the marker in the text that was sent */
  id: string
  kind: Kind
  tenant: number
  actor: number
  /** `unsent`: it never left, as the connection was refused. `unknown`: the connection broke, or the answer was a 5xx. */
  outcome: 'ok' | 'refused' | 'unknown' | 'unsent'
  status?: number
  /** the process behind the proxy whose answer it is, if the proxy says so */
  by?: unknown
  task?: number
  project?: number
  comment?: number
  member?: number
  version?: number
  key?: string
  /** when it was made, and how long the answer took */
  at: number
  ms: number
  /** when a request that was never answered had left */
  sentAt?: number
}
type Kind = 'createTask' | 'updateTask' | 'comment' | 'createProject' | 'updateProject' | 'addMember' | 'read'

export interface Person {
  id: number
  token: string
}
export interface Company {
  tenant: number
  code: string
  people: Person[]
  /** tasks that everybody changes, whose assignee and reporter stay */
  shared: Task[]
  project: number
}
interface Task {
  id: number
  version: number
  status: TaskStatus
  assignee: number | null
}

export interface Workload {
  history: Entry[]
  companies: Company[]
  /** answers that held another tenant's canary */
  foreign: string[]
  /** answers that broke the contract of a failure, such as a 503 without Retry-After */
  malformed: string[]
  /**
   * Waits until so many requests of this kind that were made from now on have succeeded.
   * @returns how many ms the first of them took from now
   */
  served(count?: number, isMeant?: (entry: Entry) => boolean): Promise<number>
  /** Resolves when all has been sent and answered that was to be. */
  done: Promise<unknown>
  /** Stops the clients and waits for their last answers. */
  stop(): Promise<void>
}

export interface WorkloadOptions {
  clients: number
  /** share of reads among the requests */
  reads: number
  /** share of project creations among the writes; each is sent with its key once or, at times, twice */
  projects?: number
  /** about as many requests, then it is done */
  requests?: number
  /** about so many ms a client rests after each answer; by default it asks again immediately */
  restMs?: number
}

const canary = (tenant: number) => `~tenant-${tenant}~`
const CANARIES = /~tenant-(\d+)~/g
const PEOPLE = 4

/** Two companies with their people, one project each, and tasks that everybody works on. Made by the API alone. */
export async function foundCompanies(remote: Remote, count = 2): Promise<Company[]> {
  const admin = await signIn(remote)
  const run = Date.now().toString(36)
  return Promise.all(
    Array.from({ length: count }, async (_, at) => {
      const code = `c-${run}-${at}`
      const draft = {
        ...{ name: code, code, plan: 'test', registration: 'open' },
        ...{ adminUsername: 'boss', adminPassword: 'a-long-password', adminEmail: 'boss@company.example' },
      }
      const { id: tenant } = await made(() => admin.client.post('/tenants', draft))
      const boss = await signIn(remote, code, 'boss', 'a-long-password')
      const others = await Promise.all(
        Array.from({ length: PEOPLE - 1 }, async (_, at) => {
          const username = `person-${at}`
          const account = { username, password: 'secret-1', email: 'person@company.example', tenantCode: code }
          await made(() => remote.as().post('/auth/register', account))
          return signIn(remote, code, username, 'secret-1')
        }),
      )
      const key = { 'idempotency-key': `found-${code}` }
      const project = await made(() => boss.client.post('/projects', { name: `Main ${canary(tenant)}`, code }, key))
      for (const { person } of others) await told(() => boss.client.put(`/projects/${project.id}/members/${person.id}`))
      const shared: Task[] = []
      for (const { person } of others) {
        const draft = { title: `shared ${canary(tenant)}`, assigneeId: person.id }
        const task = await made(() => boss.client.post(`/projects/${project.id}/tasks`, draft))
        shared.push({ id: task.id, version: 0, status: 'TODO', assignee: person.id })
      }
      return { tenant, code, project: project.id, shared, people: [boss.person, ...others.map(({ person }) => person)] }
    }),
  )
}

/** Signs somebody in, by default the administrator of the first start. */
export async function signIn(remote: Remote, tenantCode = 'default', username = 'admin', password = 'admin123') {
  const pair = await told(() => remote.as().post('/auth/login', { username, password, tenantCode }))
  const client = remote.as(pair.accessToken)
  const me = await told(() => client.get('/auth/me'))
  return { client, person: { id: me.id as number, token: pair.accessToken } }
}

const made = async (send: () => Promise<Answer>) => (await obeying(send)).expect(201)
const told = async (send: () => Promise<Answer>) => (await obeying(send)).expect(200)

/** Sets the clients to work. `remoteNow` is asked before each request, as a service that was restarted has a new one. */
export function startWorkload(remoteNow: () => Remote, companies: Company[], options: WorkloadOptions): Workload {
  const history: Entry[] = []
  const foreign: string[] = []
  const malformed: string[] = []
  let working = true
  const run = Math.floor(Math.random() * 36 ** 4).toString(36)
  const done = Promise.all(Array.from({ length: options.clients }, (_, at) => work(at)))
  return {
    done,
    history,
    companies,
    foreign,
    malformed,
    async served(count = 1, isMeant = () => true) {
      const [from, before] = [performance.now(), history.length]
      const succeeded = () => history.slice(before).filter((entry) => entry.outcome === 'ok' && isMeant(entry))
      await until(() => succeeded().length >= count)
      return Math.round(Math.min(...succeeded().map(({ at, ms }) => at + ms)) - from)
    },
    stop: endsWithFile(async () => {
      working = false
      await done
    }),
  }

  async function work(at: number) {
    const chance = randomFrom(1000 + at)
    const company = companies[at % companies.length]!
    const person = company.people[Math.floor(at / companies.length) % company.people.length]!
    const own: Task[] = []
    const projects: { id: number; version: number }[] = []
    const usedKeys: string[] = []
    let sequence = 0

    /** Sends one request and writes it down. Undefined when nobody knows what became of it. */
    async function attempt(
      kind: Kind,
      facts: Partial<Entry>,
      send: (client: RemoteClient, text: string, headers: Record<string, string>) => Promise<Answer>,
      learn: (data: any) => Partial<Entry> = () => ({}),
    ): Promise<Answer | undefined> {
      const id = `w${run}-${at}-${++sequence}`
      const entry: Entry = {
        ...facts,
        ...{ id, kind, tenant: company.tenant, actor: person.id, outcome: 'unknown', at: performance.now(), ms: 0 },
      }
      history.push(entry)
      const text = `${id} ${canary(company.tenant)}`
      try {
        const answer = await send(remoteNow().as(person.token), text, { 'x-request-id': id })
        Object.assign(entry, { status: answer.status, by: answer.headers['x-answered-by'] })
        inspect(answer, company.tenant, id)
        if (answer.status < 400) Object.assign(entry, learn(answer.data), { outcome: 'ok' })
        else if (answer.status < 500) entry.outcome = 'refused'
        return answer.status < 500 ? answer : undefined
      } catch (error) {
        if (!isLost(error)) malformed.push(`${kind}: ${error}`)
        entry.sentAt = (error as { sentAt?: number }).sentAt ?? entry.at
        if (entry.sentAt === Number.POSITIVE_INFINITY) entry.outcome = 'unsent'
        return undefined
      } finally {
        entry.ms = performance.now() - entry.at
        // A client that was not served waits a moment, as a sane one does.
        if (entry.outcome === 'unsent' || entry.outcome === 'unknown') await sleep(50 + 100 * chance())
        else if (options.restMs) await sleep(2 * options.restMs * chance())
      }
    }

    async function createTask() {
      const assigneeId = chance() < 0.5 ? pick(company.people).id : null
      const answer = await attempt(
        'createTask',
        { project: company.project },
        (client, title, headers) => client.post(`/projects/${company.project}/tasks`, { title, assigneeId }, headers),
        ({ id, version }) => ({ task: id, version }),
      )
      if (answer?.status === 201)
        own.push({ id: answer.data.id, version: 0, status: 'TODO', assignee: answer.data.assigneeId })
    }

    /**
     * A change of title, and at times of status or assignee; some moves are not legal. What it cannot know any more it
     * reads again. A shared task keeps its assignee and is never finished.
     */
    async function updateTask(task: Task, isShared: boolean) {
      const statuses = isShared ? UNFINISHED : ALL_STATUSES
      const legal = statuses.filter((status) => TASK_MOVES[task.status].includes(status))
      const status = chance() < 0.3 ? pick(chance() < 0.8 ? legal : statuses) : undefined
      const assigneeId = !isShared && chance() < 0.3 ? pick(company.people).id : undefined
      const answer = await attempt(
        'updateTask',
        { task: task.id },
        (client, title, headers) =>
          client.put(`/tasks/${task.id}`, { version: task.version, title, status, assigneeId }, headers),
        ({ version }) => ({ version }),
      )
      const now = answer?.status === 200 ? answer.data : await readTask(task.id)
      if (now) Object.assign(task, { version: now.version, status: now.status, assignee: now.assigneeId })
    }

    async function readTask(id: number) {
      const answer = await attempt('read', {}, (client, _, headers) => client.get(`/tasks/${id}`, headers))
      return answer?.status === 200 ? answer.data : undefined
    }

    async function comment() {
      const task = pick(company.shared)
      await attempt(
        'comment',
        { task: task.id },
        (client, content, headers) => client.post(`/tasks/${task.id}/comments`, { content }, headers),
        ({ id }) => ({ comment: id }),
      )
    }

    async function createProject() {
      const reused = chance() < 0.15 && usedKeys.length > 0
      const key = reused ? pick(usedKeys) : `key-${run}-${at}-${sequence}`
      const create = () =>
        attempt(
          'createProject',
          { key },
          (client, name, headers) =>
            client.post('/projects', { name, code: name.split(' ')[0] }, { ...headers, 'idempotency-key': key }),
          ({ id, version }) => ({ project: id, version }),
        )
      const answers = await Promise.all(chance() < 0.3 ? [create(), create()] : [create()])
      // Nobody knows what became of it: the same key, sent again, makes it once and never twice.
      if (answers.includes(undefined)) answers.push(await create())
      for (const answer of answers) {
        if (answer?.status !== 201) continue
        usedKeys.push(key)
        projects.push({ id: answer.data.id, version: 0 })
      }
    }

    async function updateProject(project: { id: number; version: number }) {
      const answer = await attempt(
        'updateProject',
        { project: project.id },
        (client, name, headers) => client.put(`/projects/${project.id}`, { version: project.version, name }, headers),
        ({ version }) => ({ version }),
      )
      if (answer?.status === 200) project.version = answer.data.version
      else projects.splice(projects.indexOf(project), 1)
    }

    async function addMember(project: { id: number }) {
      const member = pick(company.people).id
      await attempt('addMember', { project: project.id, member }, (client, _, headers) =>
        client.put(`/projects/${project.id}/members/${member}`, undefined, headers),
      )
    }

    async function read() {
      await attempt('read', {}, (client, _, headers) =>
        pick([
          () => client.get(`/projects/${company.project}/tasks?pageSize=20`, headers),
          () => client.get(`/tasks/${pick(company.shared).id}`, headers),
          () => client.get('/notifications?pageSize=20', headers),
          () => client.get('/projects?pageSize=20', headers),
        ])(),
      )
    }

    /** Undefined, against its type, of an empty list: then the field is left out. */
    function pick<T>(items: readonly T[]): T {
      return items[Math.floor(chance() * items.length)]!
    }

    while (working && history.length < (options.requests ?? Number.POSITIVE_INFINITY)) {
      if (chance() < options.reads) {
        await read()
        continue
      }
      const dice = chance()
      const share = options.projects ?? 0.15
      if (dice < share) await createProject()
      else if (dice < share + 0.05 && projects.length) await addMember(pick(projects))
      else if (dice < share + 0.1 && projects.length) await updateProject(pick(projects))
      else if (dice < 0.4) await comment()
      else if (dice < 0.6) await updateTask(pick(company.shared), true)
      else if (dice < 0.8 && own.length) await updateTask(pick(own.slice(-5)), false)
      else await createTask()
    }
  }

  function inspect(answer: Answer, tenant: number, id: string) {
    const text = JSON.stringify(answer.body)
    for (const [found, owner] of text.matchAll(CANARIES))
      if (Number(owner) !== tenant) foreign.push(`${id} of tenant ${tenant} was shown ${found}`)
    if (answer.headers['x-request-id'] !== id) foreign.push(`${id} was answered as ${answer.headers['x-request-id']}`)
    const mayComeAgain = Number(answer.headers['retry-after']) > 0
    if (answer.status === 503 && mayComeAgain === (answer.error!.type === 'OUTCOME_UNKNOWN'))
      malformed.push(`${id}: ${text} with Retry-After ${answer.headers['retry-after']}`)
    if (answer.status >= 500 && answer.status !== 503) malformed.push(`${id}: ${text}`)
  }
}

const ALL_STATUSES = Object.keys(TASK_MOVES) as TaskStatus[]
const UNFINISHED: TaskStatus[] = ['TODO', 'IN_PROGRESS', 'BLOCKED']
const LOST = ['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ECONNABORTED']

function isLost(error: unknown): boolean {
  return LOST.includes((error as NodeJS.ErrnoException).code ?? '')
}

/** The same numbers for the same seed (mulberry32), so that two runs differ only in timing. */
export function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}

/** A stopping service waits so long for requests in hand. */
const LAST_CALL_MS = 6000

/** What a service had in hand when its stop was asked for, without what took so long that it was cut off. */
export function inHandAt(history: readonly Entry[], askedAt: number): Entry[] {
  const isCutOff = ({ at, ms }: Entry) => at + ms >= askedAt + LAST_CALL_MS
  return history.filter((one) => (one.sentAt ?? one.at) < askedAt && one.at + one.ms > askedAt && !isCutOff(one))
}

/** The latencies of some entries, in milliseconds. */
export function latencies(entries: readonly { ms: number }[]) {
  const sorted = entries.map(({ ms }) => ms).sort((a, b) => a - b)
  const at = (share: number) => Math.round(sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0)
  return { p50: at(0.5), p99: at(0.99), most: at(1) }
}

/** How many entries ended which way. */
export function tally(entries: readonly Entry[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const { outcome } of entries) counts[outcome] = (counts[outcome] ?? 0) + 1
  return counts
}

/** How many entries were answered with which status; 0 stands for no answer. */
export function statusesOf(entries: readonly Entry[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const { status = 0 } of entries) counts[status] = (counts[status] ?? 0) + 1
  return counts
}
