import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import type { Member } from './fill.ts'
import { type Limits, limitsOf, startBare } from './limits.ts'
import { type Measure, measure, median, mediansOf, type Round, ratioOf, watchOthers } from './rounds.ts'
import { rssOf, type Server, type ServerName, startServer } from './servers.ts'
import type { Request, Work } from './works.ts'

export interface Bench extends Measure {
  /** what is compared: the ratios are those of the second to the first */
  sides: readonly [Side, Side]
  works: Work[]
  members: Member[]
  rounds: number
  connections: number
  /** of both servers */
  environment: Record<string, string>
  /** the role that the service drops to */
  role: string
  /** for temporary files */
  directory: string
}

export interface Side {
  name: ServerName
  /** at most 12 letters, for the head of its column */
  label: string
}

const STARTS = 5

/** Runs both servers in turns, work by work, and prints the table. Adds what it starts to `servers`. */
export async function compare(bench: Bench, servers: Server[]) {
  const names = bench.sides.map(({ name }) => name)
  const starts = await startOften(names, bench.environment)
  for (const name of names) servers.push(await startServer(name, bench.environment))
  const [one, other] = servers as [Server, Server]
  await sleep(1500)
  const pair = [one, other]
  const idle = pair.map(({ pid }) => rssOf(pid))
  const loaded = [0, 0]
  const bare = await startBare(bench, other)
  servers.push(bare)

  printHead(bench.sides)
  const others: number[] = []
  for (const work of bench.works) {
    await assertSameAnswer(work, one, other)
    for (const server of pair) await measure({ ...bench, seconds: Math.min(2, bench.seconds) }, server, work)
    const othersSince = watchOthers(bench.postmaster, pair)
    const rounds: [Round, Round][] = []
    for (let n = 0; n < bench.rounds; n++) {
      // The order alternates, so that a machine that becomes slower favours neither.
      const first = n % 2 === 0 ? one : other
      const results = new Map<Server, Round>()
      for (const server of [first, first === one ? other : one]) results.set(server, await measure(bench, server, work))
      rounds.push([results.get(one)!, results.get(other)!])
    }
    others.push(othersSince())
    for (const [at, { pid }] of pair.entries()) loaded[at] = Math.max(loaded[at]!, rssOf(pid))
    console.log(row(`${work.name} ${work.title}`, cells(rounds, await limitsOf(bench, bare, work))))
  }

  console.log(`\n${row('', ['ready ms', '', '', 'RSS idle', '', '', 'RSS loaded'])}`)
  for (const [at, { name }] of pair.entries())
    console.log(row(name, [median(starts[at]!), '', '', idle[at]!, '', '', loaded[at]!].map(rounded)))
  const pace = bench.perSecond ? `, ${bench.perSecond} requests a second` : ''
  console.log(
    `\nMedians of ${bench.rounds} rounds of ${bench.seconds} s in turns, ${bench.connections} keep-alive connections, ${bench.members.length} people${pace}.` +
      `\nRatios: ${bench.sides[1].label} by ${bench.sides[0].label}, median of the rounds' own. CPU: ms for each request. RSS: MiB.` +
      '\nThe limits: the same statements without HTTP, and the same bytes from a bare Fastify route.' +
      `\nAtrium logs each request, the server by hand nothing. Others used ${median(others).toFixed(2)} processors meanwhile; near 0, the figures can be trusted.`,
  )
}

/** How long each server takes to be ready, several times; without the very first start, which also makes tenant 1. */
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

async function assertSameAnswer(work: Work, one: Server, other: Server) {
  const answers = []
  for (const [turn, { port }] of [one, other].entries()) {
    const answer = await ask(port, work.sample(turn + 1))
    for (const row of [answer.body.data].flat()) for (const field of work.differs) delete row[field]
    answers.push(answer)
  }
  if (!isDeepStrictEqual(answers[0], answers[1]))
    throw new Error(`${work.name}: the answers differ:\n${answers.map((answer) => JSON.stringify(answer)).join('\n')}`)
}

async function ask(port: number, { method, path, headers, body }: Request) {
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
    method,
    headers,
    ...(body && { body: JSON.stringify(body) }),
  })
  const total = answer.headers.get('x-total-count')
  return { status: answer.status, total, body: (await answer.json()) as any }
}

const COLUMNS = [12, 8, 7, 14, 8, 7, 16, 8, 7, 10, 8, 10, 8, 12, 8]

function printHead(sides: Bench['sides']) {
  const pair = sides.map(({ label }) => label)
  const three = [...pair, 'ratio']
  console.log(
    `\n${row('', ['requests/s', '', '', 'server CPU', '', '', 'postgres CPU', '', '', 'p50 ms', '', 'p99 ms', '', 'limits', ''])}`,
  )
  console.log(row('', [...three, ...three, ...three, ...pair, ...pair, 'database', 'bare']))
}

function cells(rounds: [Round, Round][], limits: Limits): string[] {
  const ratio = (figure: keyof Round) => ratioOf(rounds, figure).toFixed(2)
  return [
    ...[...mediansOf(rounds, 'rate', 0), ratio('rate')],
    ...[...mediansOf(rounds, 'server', 3), ratio('server')],
    ...[...mediansOf(rounds, 'postgres', 3), ratio('postgres')],
    ...[...mediansOf(rounds, 'p50', 1), ...mediansOf(rounds, 'p99', 1)],
    ...[limits.database?.toFixed(0) ?? '', limits.bare.toFixed(0)],
  ]
}

function row(label: string, values: string[]): string {
  return label.padEnd(34) + values.map((value, at) => value.padStart(COLUMNS[at]!)).join('')
}

function rounded(value: number | string): string {
  return typeof value === 'string' ? value : value.toFixed(0)
}
