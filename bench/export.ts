import { administer } from '../tools/throwaway.ts'
import { permitting } from './fill.ts'
import { benchReading } from './reading.ts'

await benchReading({
  usage: `npm run bench -- export [options]

Whether a tenant of a million rows is slower while it is exported: reads of one task, with and without exports that are read
as fast as they come, in turns, at the same pace. Ends with 1 if the p99 is more than twice as long.

  --rounds 2  --seconds 75  --every-second 200
`,
  name: 'export',
  // Half a million tasks, each with what happened to it.
  volume: { tenants: 1, projects: 10, tasks: 50_000 },
  path: () => '/api/v1/tenant/export',
  permit: (url) => administer(url, permitting('tenant:export')),
})
