import type { Changes } from '../../data/changes/changes.ts'
import { remembered } from '../../data/changes/remembered.ts'
import type { Scope } from '../../data/tx/scope.ts'
import type { TenantId } from '../../kernel/actor.ts'
import { findNameShown } from './people.store.ts'

/** How the people of a tenant are called, by their ids; blank for who has gone. Without a promise where all are at hand. */
export type NamesOf = (tenantId: TenantId, ids: Iterable<number>) => Names | Promise<Names>
type Names = ReadonlyMap<number, string>

const MOST_NAMES = 65_536

/**
 * The names of people, remembered until somebody changes them. Beside the rows of every list they would cost more than
 * the rows: each is a look-up of its own behind row security.
 */
export function rememberNames(changes: Changes, scopeOf: (tenantId: TenantId) => Scope): NamesOf {
  const names = remembered(changes, {
    most: MOST_NAMES,
    load: async (_key: string, { tenantId, id }: { tenantId: TenantId; id: number }) => ({
      id,
      name: (await findNameShown(scopeOf(tenantId), { id }))?.name ?? '',
    }),
    isStale: ({ id }, since) => changes.isChanged('user', id, since),
  })
  return (tenantId, ids) => {
    const found = new Map<number, string>()
    const loads: Promise<unknown>[] = []
    for (const id of ids) {
      if (found.has(id)) continue
      const named = names.get(`${tenantId}:${id}`, { tenantId, id })
      if (named instanceof Promise) loads.push(named.then(({ name }) => found.set(id, name)))
      else found.set(id, named.name)
    }
    return loads.length > 0 ? Promise.all(loads).then(() => found) : found
  }
}
