import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { startEmbedded } from '../appliance/embedded/embedded.ts'
import { fill, type Member } from './fill.ts'
import { inTurns, type Kind, reportTurns } from './in-turns.ts'
import { type Server, startServer } from './servers.ts'
import { works } from './works.ts'

const USAGE = `npm run bench -- deliveries [options]

Whether commands are slower if their events are delivered to a webhook: tasks in tenants that have one, and tasks in tenants
without, in turns, at the same pace, with a receiver on loopback. Ends with 1 if the p99 is more than 1.05 times as long.

  --rounds 20  --seconds 3  --every-second 100
`
const MOST = 1.05
const CONNECTIONS = 16

async function main() {
  const { values } = parseArgs({
    options: {
      rounds: { type: 'string', default: '20' },
      seconds: { type: 'string', default: '3' },
      'every-second': { type: 'string', default: '100' },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) return console.log(USAGE)
  const dir = await mkdtemp(join(tmpdir(), 'atrium-deliveries-'))
  const receiver = await openReceiver()
  const postgres = await startEmbedded({ dir, durable: true, mode: 'exclusive', settings: {} })
  let server: Server | undefined
  try {
    const secret = randomBytes(32).toString('hex')
    const { members, tenantCodes } = await fill(postgres.url(), { tenants: 50, projects: 10, tasks: 50 }, secret)
    const people: Record<Kind, Member[]> = {
      with: members.filter((_, at) => at % 2 === 0),
      without: members.filter((_, at) => at % 2 === 1),
    }
    await permitWebhooks(postgres.url())
    server = await startServer('atrium', {
      ...{ DATABASE_URL: postgres.url(), JWT_SECRET: secret, LOG_LEVEL: 'warn', DATA_DIR: dir },
      ...{ OVERLOAD_DELAY_MS: '0', WEBHOOK_PRIVATE_ADDRESSES: 'true' },
    })
    const { port } = server
    for (const { token } of people.with) await addWebhook(port, token, receiver.url)
    const sendersOf = (kind: Kind) =>
      works({ members: people[kind], connections: CONNECTIONS, blogPages: 1, tenantCodes }).find(
        ({ name }) => name === 'W3',
      )!.senders
    const [rounds, seconds, everySecond] = [values.rounds, values.seconds, values['every-second']].map(Number)
    const found = await inTurns({ port, sendersOf, rounds: rounds!, seconds: seconds!, everySecond: everySecond! })
    reportTurns(found, 'webhook', MOST)
    console.log(`\nMedians of ${rounds} rounds; the receiver took ${receiver.taken()} deliveries.`)
  } finally {
    await server?.stop()
    await postgres.stop()
    receiver.close()
    await rm(dir, { recursive: true, force: true })
  }
  process.exit()
}

/** A receiver that takes everything. */
async function openReceiver() {
  let taken = 0
  const server = createServer((req, res) => {
    req.resume().once('end', () => {
      taken++
      res.writeHead(204).end()
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}/`, taken: () => taken, close: () => server.close() }
}

async function permitWebhooks(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(
    `insert into role_permissions (tenant_id, role_id, permission_id)
       select tenant_id, roles.id, permissions.id from roles, permissions
        where permissions.code = 'webhook:manage' and tenant_id > 1`,
  )
  await client.end()
}

async function addWebhook(port: number, token: string, url: string): Promise<void> {
  const answer = await fetch(`http://127.0.0.1:${port}/api/v1/webhooks`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ url, types: ['task.created'] }),
  })
  if (answer.status !== 201) throw new Error(`the webhook was refused: ${await answer.text()}`)
}

await main()
