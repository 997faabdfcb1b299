import type { Scope } from '#atrium'
import { BEGINNING, type Break, checkEnd, checkLinks, type Linked, type Place } from './audit-chain.rules.ts'
import { findEnds, listLinks, listRows } from './audit-chain.store.ts'

export interface Verified {
  rows: number
  /** the last link; for those who keep it elsewhere */
  end: Place
  broken?: Break
}

const PAGE = 1000
/** The ends of a chain that has not begun. */
const NONE = { removedId: 0, removedChain: BEGINNING, lastId: 0, lastChain: BEGINNING }

/** Checks the audit of a tenant from the first row that is kept to the last link, a page at a time. */
export async function verifyChain(scope: Scope): Promise<Verified> {
  for (;;) {
    const ends = (await findEnds(scope, {})) ?? NONE
    const begin = { id: ends.removedId, chain: ends.removedChain }
    const end = { id: ends.lastId, chain: ends.lastChain }
    const found = await verifyBetween(scope, begin, end)
    const broken = found.broken ?? (await linkAfter(scope, end))
    if (!broken) return found
    // Retention may have removed rows meanwhile, and the job may have added some.
    const now = (await findEnds(scope, {})) ?? NONE
    if (now.removedId === ends.removedId && now.lastId === ends.lastId) return { ...found, broken }
  }
}

async function linkAfter(scope: Scope, end: Place): Promise<Break | undefined> {
  const [link] = await listLinks(scope, { after: end.id, upTo: Number.MAX_SAFE_INTEGER, most: 1 })
  return link && { id: link.id, what: `has a link, but the chain should end with ${end.id}` }
}

async function verifyBetween(scope: Scope, begin: Place, end: Place): Promise<Verified> {
  let [at, rows, read] = [begin, 0, begin.id]
  for (;;) {
    const { linked, upTo } = await readPage(scope, read, end.id)
    const checked = checkLinks(at, linked)
    at = checked.at
    rows += checked.rows
    read = upTo
    const broken = checked.broken ?? (upTo === end.id ? checkEnd(at, end) : undefined)
    if (broken || upTo === end.id) return { rows, end, ...(broken && { broken }) }
  }
}

/** Rows and links up to an id up to which both were read. */
async function readPage(scope: Scope, after: number, last: number): Promise<{ linked: Linked[]; upTo: number }> {
  const page = { after, upTo: last, most: PAGE }
  const [rows, links] = await Promise.all([listRows(scope, page), listLinks(scope, page)])
  const reachOf = (found: { id: number }[]) => (found.length < PAGE ? last : found.at(-1)!.id)
  const upTo = Math.min(reachOf(rows), reachOf(links))
  const rowOf = new Map(rows.map((row) => [row.id, row]))
  const chainOf = new Map(links.map(({ id, chain }) => [id, chain]))
  const ids = [...new Set([...rowOf.keys(), ...chainOf.keys()])].filter((id) => id <= upTo).sort((a, b) => a - b)
  return { linked: ids.map((id) => ({ id, row: rowOf.get(id), chain: chainOf.get(id) })), upTo }
}
