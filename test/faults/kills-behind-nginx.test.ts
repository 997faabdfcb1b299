import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { freePort } from '../../appliance/embedded/postmaster.ts'
import { AtriumError, createClient } from '../../client/index.ts'
import { cloneDatabase, type Inspector, openInspector } from '../support/database.ts'
import { report, untilDelivered } from '../support/invariants.ts'
import { type Nginx, nginxIsHere, startNginx } from '../support/nginx.ts'
import { obeying } from '../support/obedient.ts'
import { until } from '../support/patience.ts'
import { openRemote, type Remote, type RemoteClient } from '../support/remote.ts'
import { type ServiceProcess, startProcess } from '../support/service.ts'
import { type Company, foundCompanies } from '../support/workload.ts'

/** KILLS=50 for the full run. */
const KILLS = Number(process.env.KILLS ?? 1)
/** Of each kind: those who repeat what has not happened according to the answer, and the typed client. */
const CLIENTS = 8

const here = nginxIsHere()

let databaseUrl: string
let look: Inspector
let nginx: Nginx
let remote: Remote
const services: ServiceProcess[] = []

beforeAll(async () => {
  if (!here) return
  databaseUrl = await cloneDatabase()
  look = await openInspector(databaseUrl)
  const ports = [await freePort(), await freePort()] as const
  services.push(...(await Promise.all(ports.map(start))))
  nginx = await startNginx(ports)
  remote = openRemote(nginx.port)
})
afterAll(async () => {
  remote?.close()
  await nginx?.stop()
  await Promise.all(services.map((service) => service.end('SIGKILL')))
  await look?.close()
})

/** What waits for the database does so until it is let go on. */
const start = (port: number) =>
  startProcess({ databaseUrl, port, env: { TRUST_PROXY: '127.0.0.1/32', DATABASE_TIMEOUT_MS: '60000' } })

/** One time that a command was sent. */
interface Attempt {
  requestId: string
  /** stands in the text that the command stores */
  marker: string
  /** `LOST`: the connection broke */
  told: string
}

describe.skipIf(!here)('clients that believe what they are told', () => {
  test(`double nothing, though ${KILLS} times one of two processes behind nginx is killed`, async () => {
    const [company] = await foundCompanies(remote, 1)
    const person = remote.as(company!.people[0]!.token)
    const task = await person.post(`/projects/${company!.project}/tasks`, { title: 'shared' })
    const path = `/tasks/${task.expect(201).id}/comments`
    const attempts: Attempt[] = []
    const acknowledged: string[] = []
    let working = true
    let inHand = 0
    const clients = Array.from({ length: CLIENTS }, (_, at) => [obey(at, company!), callTyped(at, company!)]).flat()

    for (let kill = 0; kill < KILLS; kill++) {
      const holder = new pg.Client(databaseUrl)
      await holder.connect()
      await holder.query('begin; lock table tasks, task_comments in share mode')
      await until(() => inHand === clients.length)
      const victim = services[kill % 2]!
      await victim.end('SIGKILL')
      await holder.end()
      services[kill % 2] = await start(victim.port)
      const before = acknowledged.length
      await until(() => acknowledged.length > before + clients.length)
    }
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
    })
    expect(done).toEqual([])
    expect(stored.filter((row) => row.times > 1)).toEqual([])
    expect(acknowledged.filter((marker) => times.get(marker) !== 1)).toEqual([])
    // What was in hand at a kill was answered truthfully.
    expect(told.OUTCOME_UNKNOWN?.length ?? 0).toBeGreaterThan(0)

    /** Sends commands without a key, and repeats each for as long as the answer says that nothing has happened. */
    async function obey(at: number, { people, project }: Company) {
      const client = remote.as(people[at % people.length]!.token)
      const kinds: ((marker: string) => Parameters<RemoteClient['post']>)[] = [
        (marker) => [`/projects/${project}/tasks`, { title: marker }],
        (marker) => [path, { content: marker }],
      ]
      for (let command = 0; working; command++) {
        const marker = `m-raw-${at}-${command}`
        const [where, body] = kinds[command % kinds.length]!(marker)
        const send = async () => {
          const attempt: Attempt = { requestId: `${marker}-${attempts.length}`, marker, told: 'LOST' }
          attempts.push(attempt)
          const answer = await client.post(where, body, { 'x-request-id': attempt.requestId })
          attempt.told = answer.status < 400 ? 'DONE' : (answer.error?.type ?? String(answer.status))
          if (attempt.told === 'DONE') acknowledged.push(marker)
          return answer
        }
        inHand++
        await obeying(send).catch((error) => {
          if (!error.code) throw error
        })
        inHand--
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
        inHand++
        try {
          await client.createTask({ id: project, body: { title: marker } })
          acknowledged.push(marker)
        } catch (error) {
          if (!(error instanceof AtriumError)) throw error
        } finally {
          inHand--
        }
      }
    }
  })
})
