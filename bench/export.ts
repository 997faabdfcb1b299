import { once } from 'node:events'
import { get } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { administer } from '../tools/throwaway.ts'
import { type Member, permitting } from './fill.ts'
import { benchInTurns, type Kind } from './in-turns.ts'
import { works } from './works.ts'

const USAGE = `npm run bench -- export [options]

Whether a tenant of a million rows is slower while it is exported: reads of one task, with and without exports that are read
as fast as they come, in turns, at the same pace. Ends with 1 if the p99 is more than twice as long.

  --rounds 6  --seconds 10  --every-second 200
`
/** Half a million tasks, each with what happened to it. */
const VOLUME = { tenants: 1, projects: 10, tasks: 50_000 }

let bytes = 0
let whole = 0

/** Exports the tenant again and again. @returns ends the one that is under way */
function keepExporting(port: number, { token }: Member): () => Promise<void> {
  const ending = new AbortController()
  const done = (async () => {
    while (!ending.signal.aborted)
      await exportOnce(port, token, ending.signal).catch((error) => {
        if (!ending.signal.aborted) throw error
      })
  })()
  done.catch(() => {})
  return () => {
    ending.abort()
    return done
  }
}

async function exportOnce(port: number, token: string, signal: AbortSignal): Promise<void> {
  const headers = { authorization: `Bearer ${token}` }
  const request = get({ port, path: '/api/v1/tenant/export', headers, signal })
  // Its answer says so too.
  request.on('error', () => {})
  const [answer] = await once(request, 'response', { signal })
  if (answer.statusCode === 409) {
    // The one before was cut off a moment ago.
    answer.resume()
    return void (await sleep(20, undefined, { signal }))
  }
  if (answer.statusCode !== 200) throw new Error(`the export was refused: ${answer.statusCode}`)
  for await (const chunk of answer) bytes += chunk.length
  whole++
}

await benchInTurns({
  usage: USAGE,
  name: 'export',
  most: 2,
  volume: VOLUME,
  everySecond: '200',
  settings: {},
  async prepare(url, { members, tenantCodes }) {
    await administer(url, permitting('tenant:export'))
    return {
      sendersOf: (_: Kind, connections) =>
        works({ members, connections, blogPages: 1, tenantCodes }).find(({ name }) => name === 'W2')!.senders,
      beside: async (port, kind) => (kind === 'with' ? keepExporting(port, members[0]!) : async () => {}),
    }
  },
  arrived: () => `exports: ${whole} whole ones, ${Math.round(bytes / 2 ** 20)} MiB in all`,
  close() {},
})
