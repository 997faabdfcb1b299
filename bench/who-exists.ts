import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { Agent } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { startEmbedded } from '../appliance/embedded/embedded.ts'
import { hashPassword } from '../src/domains/people/passwords.ts'
import { drawToken, hashToken } from '../src/util/secrets/token.ts'
import { fill } from './fill.ts'
import { median } from './reads.ts'
import { startServer } from './servers.ts'
import { type Question, timed } from './timed.ts'

const USAGE = `npm run bench -- who-exists [options]

Whether the time of a response tells a stranger who has an account or an invitation: somebody who is there and somebody
who is not, in turns, one request at a time on one connection. Ends with 1 when the medians differ by 5 % and by 0.05 ms
or more.

  --pairs 1000   for each route
`
const MOST_SHARE = 0.05
const LEAST_MS = 0.05
const OFF = { RESET_LIMIT: '0', SIGN_IN_LIMIT: '0', REFRESH_LIMIT: '0' }

/** What a stranger sends about somebody who is there, and about somebody who is not. */
interface Doubt {
  path: string
  status: number
  there: () => object
  nowhere: () => object
}

async function main() {
  const { values } = parseArgs({
    options: { pairs: { type: 'string', default: '1000' }, help: { type: 'boolean', default: false } },
  })
  if (values.help) return console.log(USAGE)
  const dir = await mkdtemp(join(tmpdir(), 'atrium-who-exists-'))
  const postgres = await startEmbedded({ dir, durable: false, mode: 'exclusive', settings: { autovacuum: 'off' } })
  let server: Awaited<ReturnType<typeof startServer>> | undefined
  try {
    const secret = randomBytes(32).toString('hex')
    await fill(postgres.url(), { tenants: 2, projects: 10, tasks: 100 }, secret)
    const doubts = await prepare(postgres.url())
    const env = { DATABASE_URL: postgres.url(), JWT_SECRET: secret, LOG_LEVEL: 'warn', DATA_DIR: dir, ...OFF }
    server = await startServer('atrium', env)
    await ask(server.port, doubts, Number(values.pairs))
  } finally {
    await server?.stop()
    await postgres.stop()
    await rm(dir, { recursive: true, force: true })
  }
  process.exit()
}

/** Gives people addresses and a password, and an invitation that has expired. */
async function prepare(url: string): Promise<Doubt[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const { rows } = await client.query(
      `select users.id, username, tenant_id, tenants.code from users join tenants on tenants.id = tenant_id
        where deleted_at is null and tenant_id > 1 order by users.id limit 200`,
    )
    const ids = rows.map(({ id }) => id)
    await client.query("update users set password_hash = $1, email = username || '@example.com' where id = any ($2)", [
      await hashPassword('a password of the bench'),
      ids,
    ])
    const [{ id, tenant_id, code: tenantCode }] = rows
    const token = drawToken(tenant_id)
    await client.query(
      `insert into invitations (tenant_id, email, token_hash, expires_at, invited_by_id)
       values ($1, 'guest@example.com', $2, now() - interval '1 day', $3)`,
      [tenant_id, hashToken(token), id],
    )
    const names = rows.filter((row) => row.tenant_id === tenant_id).map(({ username }) => username)
    let count = 0
    const someone = () => names[count++ % names.length]
    const nobody = () => `nobody${count++ % names.length}`
    const reset = { path: '/auth/password-resets', status: 200 }
    return [
      {
        ...reset,
        there: () => ({ username: someone(), tenantCode }),
        nowhere: () => ({ username: nobody(), tenantCode }),
      },
      {
        ...reset,
        there: () => ({ email: `${someone()}@example.com`, tenantCode }),
        nowhere: () => ({ email: `${nobody()}@example.com`, tenantCode }),
      },
      {
        path: '/auth/login',
        status: 401,
        there: () => ({ username: someone(), password: 'wrong', tenantCode }),
        nowhere: () => ({ username: nobody(), password: 'wrong', tenantCode }),
      },
      {
        path: '/auth/invitations/preview',
        status: 404,
        there: () => ({ token }),
        nowhere: () => ({ token: drawToken(tenant_id) }),
      },
    ]
  } finally {
    await client.end()
  }
}

async function ask(port: number, doubts: readonly Doubt[], pairs: number) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const cells = (texts: string[]) => texts.map((text) => text.padStart(14)).join('')
  console.log(`${pairs} pairs, medians in ms`.padEnd(34) + cells(['there', 'nowhere', 'difference']))
  for (const { path, status, there, nowhere } of doubts) {
    const times: [number[], number[]] = [[], []]
    for (let n = -50; n < pairs; n++)
      // The order alternates.
      for (const which of n % 2 ? ([0, 1] as const) : ([1, 0] as const)) {
        const body = which === 0 ? there() : nowhere()
        const question: Question = { method: 'POST', path: `/api/v1${path}`, body }
        const ms = await timed(agent, port, question, status)
        if (n >= 0) times[which].push(ms)
      }
    const [known, unknown] = times.map(median) as [number, number]
    const share = known / unknown - 1
    const [key] = Object.keys(there())
    const label = `POST ${path} ${key}`.padEnd(34)
    console.log(label + cells([known.toFixed(3), unknown.toFixed(3), `${(100 * share).toFixed(1)} %`]))
    if (Math.abs(share) >= MOST_SHARE && Math.abs(known - unknown) >= LEAST_MS) process.exitCode = 1
  }
}

await main()
