import { benchReading } from './reading.ts'

await benchReading({
  usage: `npm run bench -- table [options]

Whether requests are slower while somebody reads a list of a hundred thousand rows as CSV: reads of one task, with and
without such tables, in turns, at the same pace. Ends with 1 if the p99 is more than twice as long.

  --rounds 2  --seconds 75  --every-second 200
`,
  name: 'table',
  volume: { tenants: 1, projects: 2, tasks: 50_000 },
  path: () => '/api/v1/tasks',
  accept: 'text/csv',
})
