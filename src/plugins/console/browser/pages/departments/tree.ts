import type { Department } from '../../lib/api.ts'

/** One of a tree in a list of all of them, with how deep it lies. */
export type Level<One> = One & { level: number }
export type Flat = Level<Department>

/** A tree as a list, from top to bottom. */
export function flat<One extends { children: readonly One[] }>(tree: readonly One[], level = 0): Level<One>[] {
  return tree.flatMap((one) => [{ ...one, level }, ...flat(one.children, level + 1)])
}

/** Where a department is to lie: below which one, and at which place among its children. */
export interface Place {
  parentId: number | null
  at: number
}

/** Those that lie beside each other below one department, or at the top. */
export function childrenOf(all: readonly Flat[], parentId: number | null): Flat[] {
  return all.filter((one) => one.parentId === parentId)
}

/** Where a department lies now. */
export function placeOf(all: readonly Flat[], { id, parentId }: Flat): Place {
  return { parentId, at: childrenOf(all, parentId).findIndex((one) => one.id === id) }
}

/** Whether a department is another one or lies below it. */
export function liesIn(all: readonly Flat[], id: number | null, outer: number): boolean {
  for (let at = id; at !== null; at = all.find((one) => one.id === at)?.parentId ?? null) if (at === outer) return true
  return false
}

/** One step of the arrow keys: up, down, out to the level above, into the one above it. Undefined if there is no such place. */
export function stepFrom(all: readonly Flat[], one: Flat, key: string): Place | undefined {
  const { parentId, at } = placeOf(all, one)
  const beside = childrenOf(all, parentId)
  if (key === 'ArrowUp') return at > 0 ? { parentId, at: at - 1 } : undefined
  if (key === 'ArrowDown') return at < beside.length - 1 ? { parentId, at: at + 1 } : undefined
  if (key === 'ArrowRight') {
    const above = beside[at - 1]
    return above && { parentId: above.id, at: childrenOf(all, above.id).length }
  }
  const parent = all.find(({ id }) => id === parentId)
  return parent && { parentId: parent.parentId, at: placeOf(all, parent).at + 1 }
}

/** What has to be saved so that a department lies at a place: itself, and those beside it whose order number changes. */
export function movesFor(all: readonly Flat[], id: number, { parentId, at }: Place): Flat[] {
  const moved = all.find((one) => one.id === id)!
  const others = childrenOf(all, parentId).filter((one) => one.id !== id)
  const order = [...others.slice(0, at), { ...moved, parentId }, ...others.slice(at)]
  return order.flatMap((one, index) => {
    const sort = index + 1
    const isSame = one.sort === sort && one.parentId === all.find((before) => before.id === one.id)!.parentId
    return isSame ? [] : [{ ...one, sort }]
  })
}
