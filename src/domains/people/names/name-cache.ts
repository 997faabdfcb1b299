import { type Changes, type NamesOf, remembered, type Scope, type TenantId } from '#atrium'
import { listNamesShown } from '../people.store.ts'

const MOST_NAMES = 65_536

/**
 * Caches people's names until they change. Joined to every list they would cost more than its rows: each is a separate
 * look-up under row security. Missing names of one answer are read together.
 */
export function rememberNames(changes: Changes, scopeOf: (tenantId: TenantId) => Scope): NamesOf {
  const names = remembered(changes, {
    most: MOST_NAMES,
    load: async (_key: string, { id, missing }: { id: number; missing: ReturnType<typeof openMissing> }) => ({
      id,
      name: (await missing.nameOf(id)) ?? '',
    }),
    isStale: ({ id }, since) => changes.isChanged('user', id, since),
  })
  return (tenantId, ids, asOf) => {
    if (asOf) return namesShown(asOf, [...new Set(ids)])
    const found = new Map<number, string>()
    const loads: Promise<unknown>[] = []
    const missing = openMissing(() => scopeOf(tenantId))
    for (const id of new Set(ids)) {
      const named = names.get(`${tenantId}:${id}`, { id, missing })
      if (named instanceof Promise) loads.push(named.then(({ name }) => found.set(id, name)))
      else found.set(id, named.name)
    }
    return loads.length > 0 ? Promise.all(loads).then(() => found) : found
  }
}

/** Reads all names that one call requests in one statement. */
function openMissing(scope: () => Scope) {
  const ids: number[] = []
  let reading: ReturnType<typeof namesShown> | undefined
  async function read() {
    await Promise.resolve()
    return namesShown(scope(), ids)
  }
  return {
    async nameOf(id: number): Promise<string | undefined> {
      ids.push(id)
      reading ??= read()
      return (await reading).get(id)
    },
  }
}

async function namesShown(scope: Scope, ids: number[]): Promise<ReadonlyMap<number, string>> {
  const people = await listNamesShown(scope, { ids })
  return new Map(people.map(({ id, name }) => [id, name ?? '']))
}
