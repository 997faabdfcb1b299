/**
 * Keeps what is costly to make, by name, within so many bytes; one thing alone never takes more than an eighth. The
 * oldest goes first, unless it was asked for since its turn came last (the second-chance algorithm: to look something
 * up moves nothing).
 */
export interface ByteBoundedCache<Thing> {
  get(name: string): Thing | undefined
  put(name: string, thing: Thing, bytes: number): void
  readonly bytes: number
}

/** What a name and its place cost beside the thing itself, roughly. */
const OVERHEAD = 256

export function byteBoundedCache<Thing>(mostBytes: number): ByteBoundedCache<Thing> {
  const places = new Map<string, { thing: Thing; bytes: number; wanted: boolean }>()
  let taken = 0

  function remove(name: string) {
    taken -= places.get(name)?.bytes ?? 0
    places.delete(name)
  }

  function makeRoom() {
    const [name, place] = places.entries().next().value!
    if (!place.wanted) return remove(name)
    place.wanted = false
    places.delete(name)
    places.set(name, place)
  }

  return {
    get bytes() {
      return taken
    },
    get(name) {
      const place = places.get(name)
      if (!place) return undefined
      place.wanted = true
      return place.thing
    },
    put(name, thing, size) {
      const bytes = size + 2 * name.length + OVERHEAD
      remove(name)
      if (bytes > mostBytes / 8) return
      while (taken + bytes > mostBytes) makeRoom()
      places.set(name, { thing, bytes, wanted: false })
      taken += bytes
    },
  }
}
