import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { startEmbedded } from '../appliance/embedded/embedded.ts'
import { type Filled, fill } from './fill.ts'
import { load, quantile, type Sender } from './load.ts'
import { median } from './rounds.ts'
import { type Server, startServer } from './servers.ts'

/** Commands that have an effect outside, and the same commands without it. */
export type Kind = 'with' | 'without'
/** ms */
type Figures = Record<'p50' | 'p99', number>
type Round = Record<Kind, Figures>

/** An effect of commands outside of the service. */
export interface Effect {
  usage: string
  /** in words: mail */
  name: string
  /** the p99 of commands with the effect may be this many times as long */
  most: number
  /** commands a second, unless the command line says otherwise */
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
}

const CONNECTIONS = 16

/** Measures commands with an effect beside those without. The program ends with 1 if they are slower than they may be. */
export async function benchInTurns(effect: Effect): Promise<void> {
  const { values } = parseArgs({
    options: {
      rounds: { type: 'string', default: '20' },
      seconds: { type: 'string', default: '3' },
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
    const filled = await fill(postgres.url(), { tenants: 50, projects: 10, tasks: 50 }, secret)
    const { sendersOf, begin } = await effect.prepare(postgres.url(), filled)
    server = await startServer('atrium', {
      ...{ DATABASE_URL: postgres.url(), JWT_SECRET: secret, LOG_LEVEL: 'warn', DATA_DIR: dir },
      ...{ OVERLOAD_DELAY_MS: '0', ...effect.settings },
    })
    const { port } = server
    await begin?.(port)
    const [seconds, everySecond] = [Number(values.seconds), Number(values['every-second'])]
    const run = async (kind: Kind): Promise<Figures> => {
      const { latencies } = await load(port, sendersOf(kind, CONNECTIONS), seconds, everySecond)
      return { p50: quantile(latencies, 0.5), p99: quantile(latencies, 0.99) }
    }
    report(await inTurns(run, Number(values.rounds)), effect)
    console.log(`\nMedians of ${values.rounds} rounds; ${effect.arrived()}.`)
  } finally {
    await server?.stop()
    await postgres.stop()
    effect.close()
    await rm(dir, { recursive: true, force: true })
  }
  process.exit()
}

/** Both kinds in turns, at the same pace, after one turn of each that does not count. */
async function inTurns(run: (kind: Kind) => Promise<Figures>, rounds: number): Promise<Round[]> {
  await run('with')
  await run('without')
  const found: Round[] = []
  for (let n = 0; n < rounds; n++) {
    const round: Partial<Round> = {}
    for (const kind of n % 2 ? (['with', 'without'] as const) : (['without', 'with'] as const))
      round[kind] = await run(kind)
    found.push(round as Round)
  }
  return found
}

function report(rounds: readonly Round[], { name, most }: Effect): void {
  console.log('ms'.padEnd(8) + [`without ${name}`, `with ${name}`, 'ratio'].map((text) => text.padStart(20)).join(''))
  for (const figure of ['p50', 'p99'] as const) {
    const [without, withIt] = (['without', 'with'] as const).map((kind) =>
      median(rounds.map((round) => round[kind][figure])),
    )
    const ratio = median(rounds.map((round) => round.with[figure] / round.without[figure]))
    const cells = [without!.toFixed(2), withIt!.toFixed(2), ratio.toFixed(2)]
    console.log(figure.padEnd(8) + cells.map((text) => text.padStart(20)).join(''))
    if (figure === 'p99' && ratio > most) process.exitCode = 1
  }
}
