import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { freePort } from '../../appliance/embedded/postmaster.ts'
import { AtriumError, createClient } from '../../client/index.ts'
import { cloneDatabase, type Inspector, openInspector } from '../support/database.ts'
import { report, untilDelivered } from '../support/invariants.ts'
import { type Nginx, nginxIsHere, startNginx } from '../support/nginx.ts'
import { openRemote, type Remote, type RemoteClient } from '../support/remote.ts'
import { type ServiceProcess, startProcess } from '../support/service.ts'
import { type Company, foundCompanies } from '../support/workload.ts'

/** KILLS=50 for the full run. */
const KILLS = Number(process.env.KILLS ?? 3)
/** Of each kind: those who repeat what has not happened according to the answer, and the typed client. */
const CLIENTS = 12
const DEAD_MS = 300

const title = 'clients that believe what they are told'
const here = nginxIsHere(title)

let look: Inspector
let nginx: Nginx
let remote: Remote
let start: (port: number) => Promise<ServiceProcess>
const services: ServiceProcess[] = []

beforeAll(async () => {
  if (!here) return
  const databaseUrl = await cloneDatabase()
  look = await openInspector(databaseUrl)
  start = (port) => startProcess({ databaseUrl, port, env: { TRUST_PROXY: '127.0.0.1/32' } })
  const ports = [await freePort(), await freePort()] as const
  for (const port of ports) services.push(await start(port))
  nginx = await startNginx(ports)
  remote = openRemote(nginx.port)
})
afterAll(async () => {
  remote?.close()
  await nginx?.stop()
  await Promise.all(services.map((service) => service.end('SIGKILL')))
  await look?.close()
})

/** One time that a command was sent. */
interface Attempt {
  requestId: string
  /** stands in the text that the command stores */
  marker: string
  /** `LOST`: the connection broke */
  told: string
}

describe.skipIf(!here)(title, () => {
  test(`double nothing, though ${KILLS} times one of two processes behind nginx is killed`, {
    timeout: 60_000 + KILLS * 20_000,
  }, async () => {
    const [company] = await foundCompanies(remote, 1)
    const attempts: Attempt[] = []
    const acknowledged: string[] = []
    const typed: Record<string, number> = {}
    let working = true
    const clients = Array.from({ length: CLIENTS }, (_, at) => [obey(at, company!), callTyped(at, company!)]).flat()

    for (let kill = 0; kill < KILLS; kill++) {
      await sleep(300 + 700 * Math.random())
      const victim = services[kill % 2]!
      await victim.end('SIGKILL')
      await sleep(DEAD_MS)
      services[kill % 2] = await start(victim.port)
    }
    await sleep(500)
    working = false
    await Promise.all(clients)
    await untilDelivered(look)

    const told = Object.groupBy(attempts, (attempt) => attempt.told)
    const denied = (told.UNAVAILABLE ?? []).map(({ requestId }) => requestId)
    const done = await look.rows<{ request_id: string }>(
      'select request_id from audit_operations where status < 400 and request_id = any($1)',
      [denied],
    )
    const stored = await look.rows<{ marker: string; times: number }>(
      `select marker, count(*)::int as times from (
         select substring(title from 'm-[a-z]+-[0-9]+-[0-9]+') as marker from tasks
         union all select substring(content from 'm-[a-z]+-[0-9]+-[0-9]+') from task_comments) markers
        where marker is not null group by 1`,
    )
    const times = new Map(stored.map((row) => [row.marker, row.times]))
    report(`${KILLS} kills of one of two behind nginx, ${2 * CLIENTS} clients`, [], {
      told: Object.fromEntries(Object.entries(told).map(([what, all]) => [what, all!.length])),
      typedClient: typed,
      toldNothingHappenedAndDone: done.length,
      doubled: stored.filter((row) => row.times > 1).length,
    })
    expect(done).toEqual([])
    expect(stored.filter((row) => row.times > 1)).toEqual([])
    expect(acknowledged.filter((marker) => times.get(marker) !== 1)).toEqual([])
    // What was in hand at a kill was answered truthfully.
    expect(told.OUTCOME_UNKNOWN?.length ?? 0).toBeGreaterThan(0)

    /** Sends commands without a key, and repeats each for as long as the answer says that nothing has happened. */
    async function obey(at: number, { people, project }: Company) {
      const client = remote.as(people[at % people.length]!.token)
      const task = (await client.post(`/projects/${project}/tasks`, { title: 'shared' })).expect(201)
      const kinds: ((marker: string) => Parameters<RemoteClient['post']>)[] = [
        (marker) => [`/projects/${project}/tasks`, { title: marker }],
        (marker) => [`/tasks/${task.id}/comments`, { content: marker }],
      ]
      for (let command = 0; working; command++) {
        const marker = `m-raw-${at}-${command}`
        const [path, body] = kinds[command % kinds.length]!(marker)
        for (let time = 0; ; time++) {
          const requestId = `${marker}-${time}`
          const answer = await client.post(path, body, { 'x-request-id': requestId }).catch(() => undefined)
          const what = !answer ? 'LOST' : answer.status < 400 ? 'DONE' : (answer.error?.type ?? String(answer.status))
          attempts.push({ requestId, marker, told: what })
          if (what === 'DONE') acknowledged.push(marker)
          if (what !== 'UNAVAILABLE') break
          await sleep(Number(answer!.headers['retry-after']) * 1000)
        }
      }
    }

    async function callTyped(at: number, { people, project }: Company) {
      const accessToken = people[at % people.length]!.token
      const client = createClient({
        baseUrl: `http://127.0.0.1:${nginx.port}`,
        session: { load: () => ({ accessToken, refreshToken: '' }), save() {} },
        retries: 5,
      })
      for (let command = 0; working; command++) {
        const marker = `m-typed-${at}-${command}`
        try {
          await client.createTask({ id: project, body: { title: marker } })
          acknowledged.push(marker)
          typed.DONE = (typed.DONE ?? 0) + 1
        } catch (error) {
          if (!(error instanceof AtriumError)) throw error
          typed[error.type] = (typed[error.type] ?? 0) + 1
        }
      }
    }
  })
})
