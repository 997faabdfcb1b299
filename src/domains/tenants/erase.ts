import {
  type Database,
  type Erased,
  eraseTenant,
  type FileBytes,
  fileStore,
  isUnavailable,
  type Job,
  NOT_TO_BE_ERASED,
  sharedScope,
} from '#atrium'
import { listDueForErasure } from './tenants.store.ts'

const EVERY_MS = 600_000
/** Tenants of one round; the rest waits for the next. */
const MOST = 100

/** After this time it is the turn of the next tenant. */
const TURN_MS = 10_000

/**
 * Erases the tenants whose time is over, in turns, so that a large one holds up no other for long. A failure of one does
 * not stop the others.
 * @param turn ms
 * @returns what there was of each, by its code
 * @throws the first failure, at the end
 */
export async function eraseDueTenants(
  database: Database,
  storage: Pick<FileBytes, 'removeAll'>,
  { stopping = new AbortController().signal, turn = TURN_MS }: { stopping?: AbortSignal; turn?: number } = {},
): Promise<Record<string, Erased>> {
  const erased: Record<string, Erased> = {}
  const due = await listDueForErasure(sharedScope(database), { most: MOST })
  let failure: unknown
  for (let next = due.shift(); next && !stopping.aborted; next = due.shift()) {
    const { id, code } = next
    const isOver = AbortSignal.any([stopping, AbortSignal.timeout(turn)])
    try {
      const found = await eraseTenant(database, id, (tenantId) => storage.removeAll(tenantId), isOver)
      if (found) {
        erased[code] = found
        database.log.info({ tenantId: id, code, ...found }, 'a tenant was erased')
      } else due.push(next)
    } catch (error) {
      // Another replica was faster.
      if ((error as { code?: string }).code === NOT_TO_BE_ERASED) continue
      database.log.warn(
        { err: String(error), tenantId: id },
        'a tenant could not be erased; the next round tries again',
      )
      failure ??= error
      if (isUnavailable(error as Error)) break
    }
  }
  if (failure) throw failure
  return erased
}

/** Looks for tenants to erase, every ten minutes. */
export const erasures: Job = {
  name: 'tenants to erase',
  every: EVERY_MS,
  first: EVERY_MS / 10,
  async open({ database, config }) {
    const storage = await fileStore.get().open(config.files)
    return {
      run: (_, stopping) => eraseDueTenants(database, storage, { stopping }),
      close: () => storage.close(),
    }
  },
}
