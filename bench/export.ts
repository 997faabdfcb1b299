import { administer } from '../tools/throwaway.ts'
import { type Exported, keepExporting } from './export-reader.ts'
import { type Member, permitting } from './fill.ts'
import { benchInTurns, type Kind } from './in-turns.ts'
import { works } from './works.ts'

const USAGE = `npm run bench -- export [options]

Whether a tenant of a million rows is slower while it is exported: reads of one task, with and without exports that are read
as fast as they come, in turns, at the same pace. Ends with 1 if the p99 is more than twice as long.

  --rounds 2  --seconds 75  --every-second 200
`
/** Half a million tasks, each with what happened to it. */
const VOLUME = { tenants: 1, projects: 10, tasks: 50_000 }

const total: Exported = { whole: 0, bytes: 0 }

/** @returns ends it, and counts what was read */
function beside(port: number, { token }: Member): () => Promise<void> {
  const end = keepExporting({ port, token })
  return async () => {
    const { whole, bytes } = await end()
    total.whole += whole
    total.bytes += bytes
  }
}

await benchInTurns({
  usage: USAGE,
  name: 'export',
  most: 2,
  volume: VOLUME,
  rounds: '2',
  seconds: '75',
  everySecond: '200',
  settings: {},
  async prepare(url, { members, tenantCodes }) {
    await administer(url, permitting('tenant:export'))
    return {
      sendersOf: (_: Kind, connections) =>
        works({ members, connections, blogPages: 1, tenantCodes }).find(({ name }) => name === 'W2')!.senders,
      beside: async (port, kind) => (kind === 'with' ? beside(port, members[0]!) : async () => {}),
    }
  },
  arrived: () => `exports: ${total.whole} whole ones, ${Math.round(total.bytes / 2 ** 20)} MiB in all`,
  close() {},
})
