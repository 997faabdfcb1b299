import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  type FastifyInstance,
  type FastifyRequest,
  Flag,
  fault,
  openRoom,
  openSnapshot,
  type Snapshot,
  Unavailable,
  z,
} from '#atrium'
import { getPolicy } from '#atrium/tenants'
import { fileName, headerOf, linesOf } from './cells.rules.ts'

type ListForm = Parameters<FastifyInstance['offerListsAs']>[0]
type WholeList = Parameters<ListForm['answer']>[2]

export const tableFaults = {
  busy: fault('BUSY', 409, 'A table is being sent to you already'),
}

const CSV = 'text/csv'
const LINE_END = '\r\n'
/** Tables that one process sends at a time: each has a connection to the database. */
const MOST_AT_ONCE = 4
/** A snapshot keeps VACUUM from removing rows that were changed after it, so it does not last forever. */
const LONGEST_MS = 3_600_000
const LONGEST_REST_MS = 100

const Table = z.string().meta({
  description:
    "The whole list, whatever `page`, `pageSize`, `limit`, `before`, `after` and `behind` say: the rows of one moment, in the order of the list. A line with the names of the fields, then one for each row, as RFC 4180 says. The items of an array are joined by `; `, and an object is JSON. A cell that a spreadsheet would run as a formula begins with `'`. The last line has its end only if nothing is missing. Each person is sent one table at a time.",
})

/** Lists as comma-separated values, as of one moment, in constant memory. */
export function csvForm(app: FastifyInstance): ListForm {
  const room = openRoom(MOST_AT_ONCE)
  const served = new Set<string>()

  /** @returns what gives the place back */
  function takePlace({ scope: { tenantId } }: FastifyRequest, person: string): () => void {
    if (served.has(person)) throw tableFaults.busy()
    if (!room.take(tenantId)) throw new Unavailable('too many tables are being sent')
    served.add(person)
    return () => {
      served.delete(person)
      room.giveBack(tenantId)
    }
  }

  return {
    type: CSV,
    schema: Table,
    query: { bom: Flag.optional().describe(`With \`Accept: ${CSV}\`: a byte order mark comes first, for Excel`) },
    refuses: [tableFaults.busy],
    async answer(req, reply, list) {
      const type = `${CSV}; charset=utf-8; header=present`
      if (req.method === 'HEAD') return reply.type(type).send('')
      const { user, scope } = req
      const person = `${user.tenantId}/${user.id}`
      const leave = takePlace(req, person)
      let snapshot: Snapshot | undefined
      let ended: Promise<void> | undefined
      const end = () =>
        (ended ??= (async () => {
          await snapshot?.close()
          leave()
        })())
      try {
        snapshot = await openSnapshot(app.database, scope.tenantId, `table ${person}`, LONGEST_MS)
        // Another process sends it.
        if (!snapshot) throw tableFaults.busy()
        const { timeZone } = await getPolicy(snapshot.scope, { id: scope.tenantId })
        const lines = tableOf(req, list, snapshot.scope, end)
        // What the route refuses is refused before anything is sent.
        const first = await lines.next()
        const table = Readable.from(startingWith(first.value!, lines), { objectMode: false })
        table.once('close', () => void end())
        app.slowReaders.hurry(req)
        const name = fileName(list.name, snapshot.takenAt, timeZone)
        return reply
          .type(type)
          .headers({ 'cache-control': 'no-store', 'content-disposition': `attachment; filename="${name}"` })
          .send(table as never)
      } catch (error) {
        await end()
        throw error
      }
    },
  }
}

/** @param whole is called when everything was read, before the last line has its end */
async function* tableOf(
  req: FastifyRequest,
  { fields, pages }: WholeList,
  scope: Snapshot['scope'],
  whole: () => Promise<void>,
): AsyncGenerator<string> {
  const { bom = false } = req.query as { bom?: boolean }
  let start = `${bom ? '\ufeff' : ''}${headerOf(fields)}`
  let begun = performance.now()
  for await (const rows of pages(scope)) {
    yield rows.length > 0 ? `${start}${LINE_END}${linesOf(rows, fields)}` : start
    start = ''
    // As long as it took, so that requests keep at least half of the processors.
    await sleep(Math.min(performance.now() - begun, LONGEST_REST_MS))
    await req.assertStillAllowed()
    begun = performance.now()
  }
  // Who has received the end can ask for another table.
  await whole()
  yield LINE_END
}

async function* startingWith(first: string, others: AsyncIterable<string>) {
  yield first
  yield* others
}
