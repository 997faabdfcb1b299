import { Readable } from 'node:stream'
import { type Database, type FastifyReply, type FastifyRequest, faults, onOneLine } from '#atrium'
import { type Filters, isWanted, LINES } from './audit.rules.ts'
import { evidence, listSettled } from './audit.store.ts'

const PAGE = 500
const SENT = 'it was answered'

/**
 * Sends the operations after an id, the oldest first, one on each line. Those that are not settled yet come with the
 * next request, so no row ever appears below one that was sent. A page is read when the reader has taken the one before.
 * The stream ends early if the request would no longer be allowed.
 */
export async function streamOperations(
  database: Database,
  req: FastifyRequest,
  reply: FastifyReply,
  filters: Filters & { after: number },
): Promise<FastifyReply> {
  const { scope } = req
  const upTo = await evidence.get().settledUpTo(database, scope.tenantId)
  const read = (after: number) => listSettled(scope, { after, upTo, most: PAGE })
  const first = await read(filters.after)
  const held = req.server.streams.hold(req, reply)
  const lines = Readable.from(pages(), { highWaterMark: 1 })
  // Without an end of its own, so the reader sees that something is missing.
  held.onEnd((reason) => reason === SENT || lines.destroy(faults.unavailable()))
  return reply.type(LINES).header('cache-control', 'no-store').send(lines)

  async function* pages() {
    for (let page = first; ; ) {
      const text = page.filter((row) => isWanted(row, filters)).map(lineOf)
      if (text.length > 0) yield text.join('')
      if (page.length < PAGE) break
      await req.assertStillAllowed()
      page = await read(page.at(-1)!.id)
    }
    held.end(SENT)
  }
}

function lineOf(row: object): string {
  return `${onOneLine(JSON.stringify(row))}\n`
}
