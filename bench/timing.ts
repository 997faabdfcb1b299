import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { startEmbedded } from '../appliance/embedded/embedded.ts'
import { hashPassword } from '../src/domains/people/passwords.ts'
import { drawToken, hashToken } from '../src/util/secrets/token.ts'
import { fill, type Member } from './fill.ts'
import { median } from './rounds.ts'
import { startServer } from './servers.ts'

const USAGE = `npm run bench -- timing [options]

Whether the time of a response tells what it does not say: that another tenant has what one asks for, or that somebody has
an account or an invitation. What is there and what is not, in turns, one request at a time on one connection. Ends with
1 when the medians differ by 5 % and by 0.05 ms or more.

  --pairs 1000   for each question
`
const MOST_SHARE = 0.05
const LEAST_MS = 0.05
const WARM_UP = 100
const OFF = { RESET_LIMIT: '0', SIGN_IN_LIMIT: '0', REFRESH_LIMIT: '0' }

/** A request about something that is there, and the same about nothing. Both get the same status. */
interface Question {
  label: string
  method: string
  status: number
  token?: string
  there: () => Asked
  nowhere: () => Asked
}
interface Asked {
  path: string
  body?: object | undefined
}

async function main() {
  const { values } = parseArgs({
    options: { pairs: { type: 'string', default: '1000' }, help: { type: 'boolean', default: false } },
  })
  if (values.help) return console.log(USAGE)
  const dir = await mkdtemp(join(tmpdir(), 'atrium-timing-'))
  const postgres = await startEmbedded({ dir, durable: false, mode: 'exclusive', settings: { autovacuum: 'off' } })
  const client = new pg.Client({ connectionString: postgres.url() })
  let server: Awaited<ReturnType<typeof startServer>> | undefined
  try {
    const secret = randomBytes(32).toString('hex')
    const { members } = await fill(postgres.url(), { tenants: 20, projects: 10, tasks: 100 }, secret)
    await client.connect()
    const questions = [...(await ofOthers(client, members[0]!, members.at(-1)!)), ...(await ofPeople(client))]
    await client.end()
    const env = { DATABASE_URL: postgres.url(), JWT_SECRET: secret, LOG_LEVEL: 'warn', DATA_DIR: dir, ...OFF }
    server = await startServer('atrium', env)
    await ask(server.port, questions, Number(values.pairs))
  } finally {
    await server?.stop()
    await postgres.stop()
    await rm(dir, { recursive: true, force: true })
  }
  process.exit()
}

/**
 * Ids of another tenant, and ids of nothing: every seventh task and project is removed, so that unused ids lie among the
 * others and not after them.
 */
async function ofOthers(client: pg.Client, asking: Member, other: Member): Promise<Question[]> {
  const idsOf = async (sql: string): Promise<number[]> => (await client.query(sql)).rows.map(({ id }) => id)
  await client.query('set session_replication_role = replica')
  await client.query('delete from project_members where project_id % 7 = 0')
  const gone = {
    task: await idsOf('delete from tasks where id % 7 = 0 or project_id % 7 = 0 returning id::int'),
    project: await idsOf('delete from projects where id % 7 = 0 returning id::int'),
  }
  await client.query('set session_replication_role = origin')
  await client.query('vacuum (analyze)')
  const isThere = (kind: keyof typeof gone) => (id: number) => !gone[kind].includes(id)
  const foreign = {
    task: [...other.quietTasks, ...other.busyTasks].filter(isThere('task')),
    project: [...other.quietProjects, ...other.busyProjects].filter(isThere('project')),
  }
  const question = (method: string, kind: keyof typeof gone, tail = '', body?: object): Question => {
    let count = 0
    const drawn = (ids: number[]) => () => ({ path: `/${kind}s/${ids[count++ % ids.length]}${tail}`, body })
    return {
      ...{ label: `${method} /${kind}s/:id${tail}`, method, status: 404, token: asking.token },
      there: drawn(foreign[kind]),
      nowhere: drawn(gone[kind]),
    }
  }
  return [
    question('GET', 'task'),
    question('GET', 'task', '/comments'),
    question('PUT', 'task', '', { version: 0, title: 'Mine' }),
    question('GET', 'project'),
    question('GET', 'project', '/tasks'),
    question('POST', 'project', '/tasks', { title: 'Mine' }),
  ]
}

/** People with an address and a password and an invitation that has expired, and people whom nobody knows. */
async function ofPeople(client: pg.Client): Promise<Question[]> {
  const { rows } = await client.query(
    `select users.id, username, tenant_id, tenants.code from users join tenants on tenants.id = tenant_id
      where deleted_at is null and tenant_id = 2 order by users.id`,
  )
  const [{ id, tenant_id, code: tenantCode }] = rows
  await client.query("update users set password_hash = $1, email = username || '@example.com' where tenant_id = $2", [
    await hashPassword('a password of the bench'),
    tenant_id,
  ])
  const token = drawToken(tenant_id)
  await client.query(
    `insert into invitations (tenant_id, email, token_hash, expires_at, invited_by_id)
     values ($1, 'guest@example.com', $2, now() - interval '1 day', $3)`,
    [tenant_id, hashToken(token), id],
  )
  let count = 0
  const someone = (): string => rows[count++ % rows.length].username
  const nobody = () => `nobody${count++ % rows.length}`
  const question = (path: string, status: number, field: string, body: (name: string) => object): Question => ({
    ...{ label: `POST ${path} ${field}`, method: 'POST', status },
    there: () => ({ path, body: body(someone()) }),
    nowhere: () => ({ path, body: body(nobody()) }),
  })
  const preview = '/auth/invitations/preview'
  return [
    question('/auth/password-resets', 200, 'username', (username) => ({ username, tenantCode })),
    question('/auth/password-resets', 200, 'email', (name) => ({ email: `${name}@example.com`, tenantCode })),
    question('/auth/login', 401, 'username', (username) => ({ username, password: 'wrong', tenantCode })),
    {
      ...{ label: `POST ${preview} token`, method: 'POST', status: 404 },
      there: () => ({ path: preview, body: { token } }),
      nowhere: () => ({ path: preview, body: { token: drawToken(tenant_id) } }),
    },
  ]
}

async function ask(port: number, questions: readonly Question[], pairs: number) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const cells = (texts: string[]) => texts.map((text) => text.padStart(14)).join('')
  console.log(`${pairs} pairs, medians in ms`.padEnd(38) + cells(['there', 'nowhere', 'difference']))
  for (const question of questions) {
    const times = { there: [] as number[], nowhere: [] as number[] }
    for (let n = -WARM_UP; n < pairs; n++)
      // The order alternates.
      for (const which of n % 2 ? (['there', 'nowhere'] as const) : (['nowhere', 'there'] as const)) {
        const ms = await timed(agent, port, question, question[which]())
        if (n >= 0) times[which].push(ms)
      }
    const [there, nowhere] = [median(times.there), median(times.nowhere)]
    const share = there / nowhere - 1
    const figures = [there.toFixed(3), nowhere.toFixed(3), `${(100 * share).toFixed(1)} %`]
    console.log(question.label.padEnd(38) + cells(figures))
    if (Math.abs(share) >= MOST_SHARE && Math.abs(there - nowhere) >= LEAST_MS) process.exitCode = 1
  }
}

/** ms until the whole answer has come. @throws Error if it has another status */
function timed(agent: Agent, port: number, question: Question, { path, body }: Asked): Promise<number> {
  const { method, token, status, label } = question
  return new Promise((resolve, reject) => {
    const text = body && JSON.stringify(body)
    const headers = {
      ...(token && { authorization: `Bearer ${token}` }),
      ...(text && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }),
    }
    const start = performance.now()
    const options = { agent, host: '127.0.0.1', port, method, path: `/api/v1${path}`, headers }
    const asking = request(options, (answer) => {
      let said = ''
      answer.setEncoding('utf8').on('data', (chunk) => (said += chunk))
      answer.on('end', () =>
        answer.statusCode === status
          ? resolve(performance.now() - start)
          : reject(new Error(`${label}: ${answer.statusCode} ${said}`)),
      )
    })
    asking.on('error', reject)
    asking.end(text)
  })
}

await main()
