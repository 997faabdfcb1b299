import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { SMTPServer } from 'smtp-server'
import { startEmbedded } from '../appliance/embedded/embedded.ts'
import { fill, type Member } from './fill.ts'
import { inTurns, type Kind, reportTurns } from './in-turns.ts'
import { type Server, startServer } from './servers.ts'
import { assigning } from './works.ts'

const USAGE = `npm run bench -- mail [options]

Whether commands that cause mail are slower than those that do not: tasks for somebody who gets a mail for each, and tasks
for somebody who gets none, in turns, at the same pace, with a mail server on loopback. Ends with 1 if the p99 is more
than 1.1 times as long.

  --rounds 20  --seconds 3  --every-second 200
`
const MOST = 1.1
const CONNECTIONS = 16

async function main() {
  const { values } = parseArgs({
    options: {
      rounds: { type: 'string', default: '20' },
      seconds: { type: 'string', default: '3' },
      'every-second': { type: 'string', default: '200' },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) return console.log(USAGE)
  const dir = await mkdtemp(join(tmpdir(), 'atrium-mail-'))
  const host = await openMailhost()
  const postgres = await startEmbedded({ dir, durable: true, mode: 'exclusive', settings: {} })
  let server: Server | undefined
  try {
    const secret = randomBytes(32).toString('hex')
    const { members } = await fill(postgres.url(), { tenants: 50, projects: 10, tasks: 50 }, secret)
    const assignees = await chooseAssignees(postgres.url(), members)
    const env = {
      DATABASE_URL: postgres.url(),
      JWT_SECRET: secret,
      LOG_LEVEL: 'warn',
      DATA_DIR: dir,
      OVERLOAD_DELAY_MS: '0',
    }
    server = await startServer('atrium', { ...env, MAIL_URL: host.url, MAIL_FROM: 'atrium@example.com' })
    const { port } = server
    const sendersOf = (kind: Kind) => assigning(members, CONNECTIONS, (tenant) => assignees[kind].get(tenant)!)
    const [rounds, seconds, everySecond] = [values.rounds, values.seconds, values['every-second']].map(Number)
    const found = await inTurns({ port, sendersOf, rounds: rounds!, seconds: seconds!, everySecond: everySecond! })
    reportTurns(found, 'mail', MOST)
    console.log(`\nMedians of ${rounds} rounds; the mail server took ${host.taken()} mails.`)
  } finally {
    await server?.stop()
    await postgres.stop()
    host.close()
    await rm(dir, { recursive: true, force: true })
  }
  process.exit()
}

/** A mail server that takes everything. */
async function openMailhost() {
  let taken = 0
  const server = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    disableReverseLookup: true,
    onData(stream, _, done) {
      stream.resume().once('end', () => {
        taken++
        done()
      })
    },
  })
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  const { port } = server.server.address() as AddressInfo
  return { url: `smtp://127.0.0.1:${port}`, taken: () => taken, close: () => server.close() }
}

/** Two people of each tenant: one gets a mail for each notification, the other none. */
async function chooseAssignees(url: string, members: Member[]): Promise<Record<Kind, Map<number, number>>> {
  const chosen = { with: new Map<number, number>(), without: new Map<number, number>() }
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  for (const { tenant, user, busyProjects } of members) {
    const { rows } = await client.query<{ id: number }>(
      `select user_id::float8 as id from project_members where tenant_id = $1 and project_id = any ($2) and user_id <> $3
        group by 1 having count(*) = cardinality($2::bigint[]) order by 1 limit 2`,
      [tenant, busyProjects, user],
    )
    for (const [at, kind] of (['with', 'without'] as const).entries()) {
      const { id } = rows[at]!
      chosen[kind].set(tenant, id)
      await client.query(
        `update users set email = 'user-' || id || '@example.com', email_verified_at = now(), mail = $3
          where tenant_id = $1 and id = $2`,
        [tenant, id, kind === 'with' ? 'at_once' : 'never'],
      )
    }
  }
  await client.end()
  return chosen
}

await main()
