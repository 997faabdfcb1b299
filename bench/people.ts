import type { Bench } from './compare.ts'
import { measure, median, medianOf, mediansOf, type Round, watchOthers } from './rounds.ts'
import { rssOf, type Server, startServer } from './servers.ts'
import type { Work } from './works.ts'

const FEW = 50

/**
 * What it costs if many people ask now and then, beside a few who ask all the time: the same works at the same pace, on
 * one server, in turns. @param worksOf the works for this many of the people
 */
export async function people(bench: Bench, worksOf: (most: number) => Work[], servers: Server[]) {
  const server = await startServer('atrium', bench.environment)
  servers.push(server)
  const many = bench.members.length
  const crowds = [worksOf(FEW), worksOf(many)] as const
  // Everyone is asked for once, so that their data is cached.
  const seconds = many / (bench.perSecond ?? many)
  await measure({ ...bench, seconds: Math.max(2, seconds) }, server, crowds[1][0]!)

  console.log(`\n${row('ms of CPU a request', ['', 'server', '', 'postgres', '', 'together', '', 'p99 ms', ''])}`)
  const pair = [String(FEW), String(many)]
  console.log(row('', ['requests/s', ...pair, ...pair, 'ratio', '', ...pair]))
  const othersSince = watchOthers(bench.postmaster, [server])
  for (const [at, few] of crowds[0].entries()) {
    const rounds: [Round, Round][] = []
    for (let n = 0; n < bench.rounds; n++) {
      const round = [await measure(bench, server, few), await measure(bench, server, crowds[1][at]!)] as const
      rounds.push([...round])
    }
    console.log(row(`${few.name} ${few.title}`, cells(rounds)))
  }
  console.log(
    `\nMedians of ${bench.rounds} rounds of ${bench.seconds} s in turns. RSS at the end: ${rssOf(server.pid).toFixed(0)} MiB. Others used ${othersSince().toFixed(2)} processors meanwhile.`,
  )
}

function cells(rounds: [Round, Round][]): string[] {
  const together = ({ server, postgres }: Round) => server + postgres
  const ratio = median(rounds.map(([few, many]) => together(many) / together(few)))
  const rate = medianOf(
    rounds.map(([, many]) => many),
    'rate',
  )
  return [
    rate.toFixed(0),
    ...mediansOf(rounds, 'server', 3),
    ...mediansOf(rounds, 'postgres', 3),
    ratio.toFixed(2),
    '',
    ...mediansOf(rounds, 'p99', 1),
  ]
}

function row(label: string, values: string[]): string {
  return label.padEnd(34) + values.map((value) => value.padStart(11)).join('')
}
