import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import type { Member } from './fill.ts'
import { load, quantile } from './load.ts'
import { cpuOf, cpuOfMachine, cpuOfPostgres, rssOf, type Server, type ServerName, startServer } from './servers.ts'
import type { Request, Work } from './works.ts'

export interface Bench {
  /** who is compared: the ratios are those of the second by the first */
  sides: readonly [Side, Side]
  works: Work[]
  members: Member[]
  rounds: number
  seconds: number
  /** of both servers */
  environment: Record<string, string>
  /** the process id of PostgreSQL */
  postmaster: number
}

export interface Side {
  name: ServerName
  /** at most 12 letters, for the head of its column */
  label: string
}

/** What one server did in one round. */
interface Round {
  /** requests a second */
  rate: number
  /** CPU seconds for 1000 requests */
  server: number
  postgres: number
  /** ms */
  p50: number
  p99: number
}

const STARTS = 5

/** Runs both servers in turns, work by work, and prints the table. What it starts, it puts among `servers`. */
export async function compare(bench: Bench, servers: Server[]) {
  const names = bench.sides.map(({ name }) => name)
  const starts = await startOften(names, bench.environment)
  for (const name of names) servers.push(await startServer(name, bench.environment))
  const [one, other] = servers as [Server, Server]
  await sleep(1500)
  const idle = servers.map(({ pid }) => rssOf(pid))
  const loaded = [0, 0]

  printHead(bench.sides)
  const begun = { at: performance.now(), machine: cpuOfMachine(), ours: cpuOfOurs(bench, servers) }
  for (const work of bench.works) {
    await assertSameAnswer(work, bench.members[0]!, one, other)
    for (const server of servers) await measure(bench, server, work, Math.min(2, bench.seconds))
    const rounds: [Round, Round][] = []
    for (let n = 0; n < bench.rounds; n++) {
      // Who goes first changes each time, so that a machine that grows slower favours nobody.
      const first = n % 2 === 0 ? one : other
      const results = new Map<Server, Round>()
      for (const server of [first, first === one ? other : one])
        results.set(server, await measure(bench, server, work, bench.seconds))
      rounds.push([results.get(one)!, results.get(other)!])
    }
    for (const [at, { pid }] of servers.entries()) loaded[at] = Math.max(loaded[at]!, rssOf(pid))
    console.log(row(`${work.name} ${work.title}`, cells(rounds)))
  }
  const others = cpuOfMachine() - begun.machine - (cpuOfOurs(bench, servers) - begun.ours)

  console.log(`\n${row('', ['ready ms', '', '', 'RSS idle', '', '', 'RSS loaded'])}`)
  for (const [at, { name }] of servers.entries())
    console.log(row(name, [median(starts[at]!), '', '', idle[at]!, '', '', loaded[at]!].map(rounded)))
  console.log(
    `\nMedians of ${bench.rounds} rounds of ${bench.seconds} s in turns, ${bench.works[0]?.senders.length} keep-alive connections, ${bench.members.length} people.` +
      `\nRatios: ${bench.sides[1].label} by ${bench.sides[0].label}, median of the rounds' own. CPU: seconds for 1000 requests. RSS: MiB.` +
      `\nLOG_LEVEL=warn for both. Others used ${(others / ((performance.now() - begun.at) / 1000)).toFixed(2)} processors meanwhile; near 0, the figures can be trusted.`,
  )
}

/** How long each server takes to be ready, some times over; the very first start, which also makes tenant 1, aside. */
async function startOften(names: readonly ServerName[], environment: Record<string, string>): Promise<number[][]> {
  const times: number[][] = names.map(() => [])
  for (let n = 0; n <= STARTS; n++)
    for (const [at, name] of names.entries()) {
      const server = await startServer(name, environment)
      if (n > 0) times[at]!.push(server.readyMs)
      await server.stop()
    }
  return times
}

async function assertSameAnswer(work: Work, member: Member, one: Server, other: Server) {
  const answers = []
  for (const [turn, { port }] of [one, other].entries()) {
    const answer = await ask(port, work.sample(member, turn))
    for (const field of work.differs) delete answer.body.data[field]
    answers.push(answer)
  }
  if (!isDeepStrictEqual(answers[0], answers[1]))
    throw new Error(`${work.name}: the answers differ:\n${answers.map((answer) => JSON.stringify(answer)).join('\n')}`)
}

async function ask(port: number, { method, path, token, body }: Request) {
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  })
  const total = answer.headers.get('x-total-count')
  return { status: answer.status, total, body: (await answer.json()) as any }
}

async function measure({ postmaster }: Bench, server: Server, work: Work, seconds: number): Promise<Round> {
  const before = { server: cpuOf(server.pid), postgres: cpuOfPostgres(postmaster) }
  const measured = await load(server.port, work.senders, seconds).catch((error) => {
    throw new Error(`${work.name}, ${server.name}: ${error.message}\n${server.words()}`)
  })
  const thousands = measured.requests / 1000
  return {
    rate: measured.requests / measured.seconds,
    server: (cpuOf(server.pid) - before.server) / thousands,
    postgres: (cpuOfPostgres(postmaster) - before.postgres) / thousands,
    p50: quantile(measured.latencies, 0.5),
    p99: quantile(measured.latencies, 0.99),
  }
}

function cpuOfOurs({ postmaster }: Bench, servers: Server[]): number {
  const { user, system } = process.cpuUsage()
  return servers.reduce((sum, { pid }) => sum + cpuOf(pid), cpuOfPostgres(postmaster) + (user + system) / 1e6)
}

const COLUMNS = [12, 8, 7, 14, 8, 7, 16, 8, 7, 10, 8, 10, 8]

function printHead(sides: Bench['sides']) {
  const pair = sides.map(({ label }) => label)
  const figures = ['requests/s', '', '', 'server CPU', '', '', 'postgres CPU', '', '', 'p50 ms', '', 'p99 ms', '']
  console.log(`\n${row('', figures)}`)
  console.log(
    row('', [
      ...Array(3)
        .fill([...pair, 'ratio'])
        .flat(),
      ...pair,
      ...pair,
    ]),
  )
}

function cells(rounds: [Round, Round][]): string[] {
  const both = (field: keyof Round, digits: number) =>
    [0, 1].map((at) => median(rounds.map((round) => round[at]![field])).toFixed(digits))
  const ratio = (field: keyof Round) => median(rounds.map(([one, other]) => other[field] / one[field])).toFixed(2)
  return [
    ...[...both('rate', 0), ratio('rate')],
    ...[...both('server', 3), ratio('server')],
    ...[...both('postgres', 3), ratio('postgres')],
    ...[...both('p50', 1), ...both('p99', 1)],
  ]
}

function row(label: string, values: string[]): string {
  return label.padEnd(30) + values.map((value, at) => value.padStart(COLUMNS[at]!)).join('')
}

function rounded(value: number | string): string {
  return typeof value === 'string' ? value : value.toFixed(0)
}

function median(values: number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  return (sorted[(sorted.length - 1) >> 1]! + sorted[sorted.length >> 1]!) / 2
}
