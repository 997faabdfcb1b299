import { type Exported, keepExporting } from './export-reader.ts'
import type { Member, Volume } from './fill.ts'
import { benchInTurns, type Kind } from './in-turns.ts'
import { rssOf } from './servers.ts'
import { works } from './works.ts'

/** Something long that is read beside requests. */
export interface Reading {
  usage: string
  /** in words, for one: export */
  name: string
  volume: Volume
  /** what is read, such as `/api/v1/tenant/export` */
  path(reader: Member): string
  accept?: string
  /** Lets the members read it. */
  permit?(url: string): Promise<unknown>
}

/** Measures reads of one task, 200 a second, beside something long that is read again and again as fast as it comes. */
export async function benchReading({ usage, name, volume, path, accept, permit }: Reading): Promise<void> {
  const total: Exported & { memory: number } = { whole: 0, bytes: 0, memory: 0 }

  /** @returns ends it, and counts what was read */
  function beside(port: number, pid: number, member: Member): () => Promise<void> {
    const end = keepExporting({ port, token: member.token, path: path(member), ...(accept && { accept }) })
    const look = setInterval(() => (total.memory = Math.max(total.memory, rssOf(pid))), 100)
    return async () => {
      clearInterval(look)
      const { whole, bytes } = await end()
      total.whole += whole
      total.bytes += bytes
    }
  }

  await benchInTurns({
    ...{ usage, name, volume },
    most: 2,
    rounds: '2',
    seconds: '75',
    everySecond: '200',
    settings: {},
    async prepare(url, { members, tenantCodes }) {
      await permit?.(url)
      return {
        sendersOf: (_: Kind, connections) =>
          works({ members, connections, blogPages: 1, tenantCodes }).find(({ name }) => name === 'W2')!.senders,
        beside: async ({ port, pid }, kind) => (kind === 'with' ? beside(port, pid, members[0]!) : async () => {}),
      }
    },
    arrived: () =>
      `${name}: ${total.whole} whole ones, ${Math.round(total.bytes / 2 ** 20)} MiB in all, the service at most ${Math.round(total.memory)} MiB`,
    close() {},
  })
}
