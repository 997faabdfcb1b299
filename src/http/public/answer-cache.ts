import { LRUCache } from 'lru-cache'
import type { Tenancy } from '../request/tenancy.ts'

/** The tenant whose content an answer was made of, and the version of it. */
type Origin = Pick<Tenancy, 'id' | 'contentVersion'>

interface Entry<Answer> {
  tenantId: number
  name: string
  addresses: readonly string[]
  answer: Answer
}
/** The answers of one tenant, all of one version. */
interface Shelf<Answer> {
  version: number
  byName: Map<string, Entry<Answer>>
  byAddress: Map<string, Entry<Answer>>
}

/** What an answer takes besides its bytes: its headers, its entries in the maps, its own block of memory. Measured. */
const OVERHEAD = 1200
const OF_AN_ADDRESS = 100
/** One address can be written in endlessly many ways; the others are still found by the name, a little later. */
const MOST_ADDRESSES = 8
const ONE_IN = 16

/**
 * Cached answers, within a limit of bytes: the least recently used is removed first, and a single one never takes more
 * than an eighth. Each is held and counted once, however many addresses lead to it.
 */
export function answerCache<Answer extends { readonly bytes: Buffer }>(mostBytes: number) {
  const maxSize = Math.max(1, mostBytes)
  const shelves = new Map<number, Shelf<Answer>>()
  let withoutRoom = 0
  const entries = new LRUCache<Entry<Answer>, Entry<Answer>>({
    maxSize,
    maxEntrySize: Math.ceil(maxSize / 8),
    sizeCalculation: ({ name, addresses, answer }) =>
      addresses.reduce((sum, { length }) => sum + length + OF_AN_ADDRESS, answer.bytes.length + name.length + OVERHEAD),
    dispose: takeDown,
  })

  function takeDown({ tenantId, name, addresses }: Entry<Answer>) {
    const shelf = shelves.get(tenantId)!
    shelf.byName.delete(name)
    for (const address of addresses) shelf.byAddress.delete(address)
    if (shelf.byName.size === 0) shelves.delete(tenantId)
  }

  function shelfOf({ id, contentVersion }: Origin): Shelf<Answer> | undefined {
    const shelf = shelves.get(id)
    return shelf?.version === contentVersion ? shelf : undefined
  }

  /** The most recently used is removed last. */
  function touched(entry: Entry<Answer> | undefined): Answer | undefined {
    return entry && entries.get(entry)?.answer
  }

  /** Drops all answers of a tenant. */
  function drop(tenantId: number) {
    for (const entry of [...(shelves.get(tenantId)?.byName.values() ?? [])]) entries.delete(entry)
  }

  return {
    /** all that is held */
    get bytes() {
      return entries.calculatedSize
    },
    get: (origin: Origin, name: string) => touched(shelfOf(origin)?.byName.get(name)),
    /** The same by an address as it was written, one of perhaps many for it. */
    at: (origin: Origin, address: string) => touched(shelfOf(origin)?.byAddress.get(address)),
    /** Keeps an answer under its name, and maps the address to it. The first of a new version drops all older ones. */
    put(origin: Origin, name: string, address: string, answer: Answer) {
      const { id: tenantId, contentVersion: version } = origin
      const held = shelves.get(tenantId)
      if (held && held.version > version) return
      if (held && held.version < version) drop(tenantId)
      const known = shelfOf(origin)?.byName.get(name)
      const addresses = known?.answer === answer ? known.addresses : []
      if (known?.answer === answer && (addresses.includes(address) || addresses.length >= MOST_ADDRESSES)) return
      if (known) entries.delete(known)
      const entry = { tenantId, name, addresses: [...addresses, address], answer }
      entries.set(entry, entry)
      if (!entries.has(entry)) return
      const shelf = shelves.get(tenantId) ?? { version, byName: new Map(), byAddress: new Map() }
      shelves.set(tenantId, shelf)
      shelf.byName.set(name, entry)
      for (const one of entry.addresses) shelf.byAddress.set(one, entry)
    },
    /**
     * Whether to keep an answer that was just made: while there is room each is kept, then one in sixteen. If more is
     * requested repeatedly than there is room for, all would evict one another and none would be there when requested; so
     * most of them stay, and frequent ones still get in.
     * @see Qureshi et al., Adaptive Insertion Policies for High Performance Caching, 2007: bimodal insertion
     */
    admits({ id, contentVersion }: Origin, bytes: number): boolean {
      const makesRoom = (shelves.get(id)?.version ?? contentVersion) < contentVersion
      if (makesRoom || entries.calculatedSize + bytes + OVERHEAD <= maxSize) return true
      return ++withoutRoom % ONE_IN === 0
    },
    drop,
  }
}
