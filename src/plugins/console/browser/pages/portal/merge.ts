type Json = any

const isObject = (value: Json): value is Record<string, Json> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
export const isEqual = (a: Json, b: Json) => JSON.stringify(a) === JSON.stringify(b)

/** Two changes of one thing together: what only one side has changed is as that side has it; of both, mine stays. */
export function merge(base: Json, mine: Json, theirs: Json): Json {
  if (isEqual(mine, base)) return theirs
  if (isEqual(theirs, base)) return mine
  if ([base, mine, theirs].every(isObject))
    return Object.fromEntries(Object.keys(mine).map((key) => [key, merge(base[key], mine[key], theirs[key])]))
  const isSameLength = [base, mine, theirs].every((list) => Array.isArray(list) && list.length === base.length)
  return isSameLength ? mine.map((one: Json, at: number) => merge(base[at], one, theirs[at])) : mine
}

/** All texts of a value with where they stand: `highlights 1 title`. */
export function factsIn(value: Json, path: string[] = []): [string, string][] {
  if (typeof value !== 'object' || value === null) return [[path.join(' '), String(value ?? '')]]
  return Object.entries(value).flatMap(([key, part]) =>
    factsIn(part, [...path, Array.isArray(value) ? String(Number(key) + 1) : key]),
  )
}
