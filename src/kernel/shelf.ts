/**
 * Keeps what is costly to make, by name, within so many bytes: what was not asked for longest goes first, and one thing
 * alone never takes more than an eighth.
 */
export interface Shelf<Thing> {
  get(name: string): Thing | undefined
  put(name: string, thing: Thing, bytes: number): void
  readonly bytes: number
}

/** What a name and its place cost beside the thing itself, roughly. */
const OVERHEAD = 256

export function openShelf<Thing>(mostBytes: number): Shelf<Thing> {
  const places = new Map<string, { thing: Thing; bytes: number }>()
  let taken = 0

  function remove(name: string) {
    taken -= places.get(name)?.bytes ?? 0
    places.delete(name)
  }

  return {
    get bytes() {
      return taken
    },
    get(name) {
      const place = places.get(name)
      if (!place) return undefined
      places.delete(name)
      places.set(name, place)
      return place.thing
    },
    put(name, thing, size) {
      const bytes = size + 2 * name.length + OVERHEAD
      remove(name)
      if (bytes > mostBytes / 8) return
      places.set(name, { thing, bytes })
      taken += bytes
      while (taken > mostBytes) remove(places.keys().next().value!)
    },
  }
}
