import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { FAMILIES, type Family } from '../../tools/growth/rows.ts'
import { pictures } from './pictures.ts'
import { type Cost, growRows } from './rows.ts'
import { growService, type Served } from './served.ts'

const USAGE = `npm run bench -- growth [options]

What a page of each list costs in a tenant of so many rows, as the service and behind row security: blocks of PostgreSQL
that are touched, and ms. The first page, the same with its total, one near the end by an id, one behind 79 980 rows by
its number, and the first page of a tenant of a thousand rows beside it.

  --rows 1000,10000,100000   ten million take half an hour, and 10 GB of disk for a while
  --of people,tasks          these families of lists alone: ${Object.keys(FAMILIES).join(', ')}
  --served                   instead, the running service over tenants, people and connections
  --write                    keeps the figures in docs/growth/, and draws them into docs/images/
  --draw                     draws them again, and measures nothing
`
const DOCS = new URL('../../docs/', import.meta.url)
const COST = ['list', 'family', 'part', 'rows', 'blocks', 'p50'] as const
const SERVED = ['of', 'work', 'size', 'rate', 'server', 'postgres', 'p50', 'p99', 'rss'] as const

const flag = { type: 'boolean', default: false } as const
const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '1000,10000,100000' },
    of: { type: 'string', default: Object.keys(FAMILIES).join() },
    served: flag,
    write: flag,
    draw: flag,
    help: flag,
  },
})
if (values.help) console.log(USAGE)
else if (values.draw) drawAll()
else await main()
process.exit()

async function main() {
  if (values.served) {
    const found: Served[] = []
    console.log(SERVED.join('\t'))
    await growService((served) => {
      found.push(served)
      console.log(line(SERVED, served).replaceAll(',', '\t'))
    })
    if (values.write) keep('served', SERVED, found)
  } else {
    const costs: Cost[] = []
    await growRows(values.rows.split(',').map(Number), values.of.split(',').filter(isFamily), (cost) =>
      costs.push(cost),
    )
    print(costs)
    if (values.write) keep('rows', COST, costs)
  }
  if (values.write) drawAll()
}

function print(costs: Cost[]) {
  const cell = (text: string) => text.padStart(18)
  console.log('blocks / ms'.padEnd(44) + [...new Set(costs.map(({ rows }) => cell(`${rows} rows`)))].join(''))
  for (const [title, curve] of Map.groupBy(costs, ({ list, part }) => `${list}, ${part}`))
    console.log(title.padEnd(44) + curve.map(({ blocks, p50 }) => cell(`${blocks} / ${p50.toFixed(2)}`)).join(''))
}

function keep<T extends object>(name: string, columns: readonly (keyof T & string)[], rows: T[]) {
  mkdirSync(new URL('growth/', DOCS), { recursive: true })
  const text = [columns.join(), ...rows.map((row) => line(columns, row))].join('\n')
  writeFileSync(new URL(`growth/${name}.csv`, DOCS), `${text}\n`)
}

function line<T extends object>(columns: readonly (keyof T & string)[], row: T): string {
  return columns.map((name) => (typeof row[name] === 'number' ? Number(row[name].toPrecision(4)) : row[name])).join()
}

function drawAll() {
  for (const [name, svg] of Object.entries(pictures(read<Cost>('rows'), read<Served>('served'))))
    writeFileSync(new URL(`images/${name}.svg`, DOCS), svg)
}

function read<T>(name: string): T[] {
  const [head, ...lines] = readFileSync(new URL(`growth/${name}.csv`, DOCS), 'utf8')
    .trim()
    .split('\n')
  const columns = head!.split(',')
  const figure = (text: string) => (text === '' || Number.isNaN(Number(text)) ? text : Number(text))
  return lines.map((each) => Object.fromEntries(each.split(',').map((text, at) => [columns[at]!, figure(text)])) as T)
}

function isFamily(name: string): name is Family {
  return name in FAMILIES
}
