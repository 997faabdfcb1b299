import { parseArgs } from 'node:util'
import { FAMILIES, type Family } from '../../tools/growth/rows.ts'
import { type Cost, growRows } from './rows.ts'

const USAGE = `npm run bench -- growth [options]

What PostgreSQL does for a page of each list in a tenant of so many rows, as the service and behind row security: blocks
that are touched, and ms. The first page, the same with its total, one near the end, and the first page of a tenant of a
thousand rows beside it.

  --rows 1000,10000,100000   ten million take half an hour and 10 GB of disk for a while
  --of people,tasks          these families of lists alone: ${Object.keys(FAMILIES).join(', ')}
`

const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '1000,10000,100000' },
    of: { type: 'string', default: Object.keys(FAMILIES).join() },
    help: { type: 'boolean', default: false },
  },
})
if (values.help) console.log(USAGE)
else await main(values.rows.split(',').map(Number), values.of.split(',').filter(isFamily))

async function main(sizes: number[], families: Family[]) {
  const cell = (text: string) => text.padStart(18)
  console.log(`${'blocks / ms'.padEnd(44)}${sizes.map((rows) => cell(`${rows} rows`)).join('')}`)
  const costs: Cost[] = []
  await growRows(sizes, families, (cost) => costs.push(cost))
  for (const [title, curve] of Map.groupBy(costs, ({ list, part }) => `${list}, ${part}`)) {
    console.log(title.padEnd(44) + curve.map(({ blocks, p50 }) => cell(`${blocks} / ${p50.toFixed(2)}`)).join(''))
  }
}

function isFamily(name: string): name is Family {
  return name in FAMILIES
}
