import { load, quantile } from './load.ts'
import { median } from './rounds.ts'

/** Commands that have an effect outside, and the same commands without it. */
export type Kind = 'with' | 'without'
/** ms */
type Figures = Record<'p50' | 'p99', number>
type Round = Record<Kind, Figures>

interface Turns {
  port: number
  sendersOf(kind: Kind): Parameters<typeof load>[1]
  rounds: number
  seconds: number
  everySecond: number
}

/** Sends both kinds in turns, at the same pace, after one turn of each that does not count. */
export async function inTurns({ port, sendersOf, rounds, seconds, everySecond }: Turns): Promise<Round[]> {
  const run = async (kind: Kind): Promise<Figures> => {
    const { latencies } = await load(port, sendersOf(kind), seconds, everySecond)
    return { p50: quantile(latencies, 0.5), p99: quantile(latencies, 0.99) }
  }
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

/** Prints medians. The program ends with 1 if the p99 with the effect is more than `most` times as long. */
export function reportTurns(rounds: readonly Round[], effect: string, most: number): void {
  console.log(
    'ms'.padEnd(8) + [`without ${effect}`, `with ${effect}`, 'ratio'].map((text) => text.padStart(20)).join(''),
  )
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
