import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { startEmbedded } from '../appliance/embedded/embedded.ts'
import { type Filled, fill, type Volume } from './fill.ts'
import { load, quantile, type Sender } from './load.ts'
import { type Server, startServer } from './servers.ts'

/** Requests that have an effect outside or something beside them, and the same requests without it. */
export type Kind = 'with' | 'without'
/** ms */
type Latencies = Float64Array

/** An effect of requests outside of the service, or what happens beside them. */
export interface Effect {
  usage: string
  /** in words: mail */
  name: string
  /** the p99 of requests with the effect may be this many times as long */
  most: number
  volume?: Volume
  /** unless the command line says otherwise: turns of each kind, how long one is, and requests a second */
  rounds?: string
  seconds?: string
  everySecond: string
  /** environment variables of the service */
  settings: Record<string, string>
  /** Prepares the filled database, before the service starts. */
  prepare(url: string, filled: Filled): Promise<Commands>
  /** what arrived outside */
  arrived(): string
  close(): void
}

export interface Commands {
  sendersOf(kind: Kind, connections: number): Sender[]
  /** What has to be done when the service answers. */
  begin?(port: number): Promise<void>
  /** Begins what happens beside the requests of a turn. @returns ends it */
  beside?(server: Server, kind: Kind): Promise<() => Promise<void>>
}

const VOLUME: Volume = { tenants: 50, projects: 10, tasks: 50 }

const CONNECTIONS = 16

/** Measures requests with an effect beside those without. The program ends with 1 if they are slower than they may be. */
export async function benchInTurns(effect: Effect): Promise<void> {
  const { values } = parseArgs({
    options: {
      rounds: { type: 'string', default: effect.rounds ?? '6' },
      seconds: { type: 'string', default: effect.seconds ?? '10' },
      'every-second': { type: 'string', default: effect.everySecond },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) {
    effect.close()
    return console.log(effect.usage)
  }
  const dir = await mkdtemp(join(tmpdir(), 'atrium-turns-'))
  const postgres = await startEmbedded({ dir, durable: true, mode: 'exclusive', settings: {} })
  let server: Server | undefined
  try {
    const secret = randomBytes(32).toString('hex')
    const filled = await fill(postgres.url(), effect.volume ?? VOLUME, secret)
    const { sendersOf, begin, beside } = await effect.prepare(postgres.url(), filled)
    const started = await startServer('atrium', {
      ...{ DATABASE_URL: postgres.url(), JWT_SECRET: secret, LOG_LEVEL: 'warn', DATA_DIR: dir },
      ...{ OVERLOAD_DELAY_MS: '0', ...effect.settings },
    })
    server = started
    const { port } = started
    await begin?.(port)
    const [seconds, everySecond] = [Number(values.seconds), Number(values['every-second'])]
    const run = async (kind: Kind) => {
      const end = await beside?.(started, kind)
      const { latencies } = await load(port, sendersOf(kind, CONNECTIONS), seconds, everySecond)
      await end?.()
      return latencies
    }
    // These do not count.
    await run('with')
    await run('without')
    await tidy(postgres.url())
    report(await inTurns(run, Number(values.rounds)), effect)
    console.log(`\nAll requests of ${values.rounds} rounds together; ${effect.arrived()}.`)
  } finally {
    await server?.stop()
    await postgres.stop()
    effect.close()
    await rm(dir, { recursive: true, force: true })
  }
  process.exit()
}

/** As autovacuum does every minute. Otherwise the plans stay those of the tables that were empty at the start. */
async function tidy(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query('vacuum (analyze)')
  await client.end()
}

/** Both kinds in turns, at the same pace. */
async function inTurns(run: (kind: Kind) => Promise<Latencies>, rounds: number): Promise<Record<Kind, Latencies[]>> {
  const found: Record<Kind, Latencies[]> = { with: [], without: [] }
  for (let n = 0; n < rounds; n++)
    for (const kind of n % 2 ? (['with', 'without'] as const) : (['without', 'with'] as const))
      found[kind].push(await run(kind))
  return found
}

/** The few slow requests of a single round say little, so each quantile is one of all rounds. */
function report(rounds: Record<Kind, Latencies[]>, { name, most }: Effect): void {
  console.log('ms'.padEnd(8) + [`without ${name}`, `with ${name}`, 'ratio'].map((text) => text.padStart(20)).join(''))
  const all = (kind: Kind) => new Float64Array(rounds[kind].flatMap((latencies) => [...latencies])).sort()
  const [without, withIt] = [all('without'), all('with')]
  for (const at of [0.5, 0.9, 0.99, 0.999]) {
    const figures = [quantile(without, at), quantile(withIt, at)] as const
    const ratio = figures[1] / figures[0]
    const cells = [...figures, ratio].map((figure) => figure.toFixed(2).padStart(20))
    console.log(`p${at * 100}`.padEnd(8) + cells.join(''))
    if (at === 0.99 && ratio > most) process.exitCode = 1
  }
}
