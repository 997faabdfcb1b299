import { isDeepStrictEqual } from 'node:util'
import type { Json } from './schemas.ts'

/**
 * What one document adds to another: fields of objects, items of lists, and fields of those items by their places.
 * @throws Error if something existing has changed
 */
export function additions(before: Json, after: Json, place = ''): Json {
  const added: Json = {}
  for (const [key, value] of Object.entries<any>(after)) {
    const old = before[key]
    const here = `${place}/${key}`
    if (old === undefined) added[key] = value
    else if (isDeepStrictEqual(old, value)) continue
    else if (Array.isArray(old) && Array.isArray(value)) added[key] = moreOf(old, value, here)
    else if (isObject(old) && isObject(value)) added[key] = additions(old, value, here)
    else throw new Error(`A domain from outside changes ${here} of the document`)
  }
  return added
}

function moreOf(before: unknown[], after: unknown[], place: string): unknown[] | Json {
  const isIn = (list: unknown[]) => (item: unknown) => list.some((other) => isDeepStrictEqual(item, other))
  if (before.length === after.length && before.every(isObject) && !before.every(isIn(after)))
    return additions({ ...before }, { ...after }, place)
  if (!before.every(isIn(after))) throw new Error(`A domain from outside changes ${place} of the document`)
  return after.filter((item) => !isIn(before)(item))
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
