import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { transact } from '../../src/data/tx/transact.ts'
import { system } from '../../src/kernel/actor.ts'
import type { Sealer } from '../../src/util/seal.ts'
import { apart, domains } from './domains.ts'
import type { Receiver } from './receiver.ts'
import type { Tenant, World } from './world.ts'

/** What the domains say of the secrets that they store sealed. */
export const SEALED = domains.flatMap(({ sealed = [] }) => sealed)

export interface Surroundings {
  world: World
  tenant: Tenant
  sealer: Sealer
  receiver: Receiver
}

type Given = (parts: Surroundings) => Promise<() => Promise<string>>

/** How to make a secret in each sealed column: the default exports of `test/sealed.ts` of plug-ins. */
const makers: Record<string, Given>[] = await Promise.all(
  apart
    .map(({ folder }) => join(folder, 'test/sealed.ts'))
    .filter((file) => existsSync(file))
    .map(async (file) => (await import(/* @vite-ignore */ pathToFileURL(file).href)).default),
)

/** Makes a secret in each sealed column. Each function that it returns needs the secret, and says how that ended. */
export async function givenSecrets(parts: Surroundings): Promise<Record<string, () => Promise<string>>> {
  const uses: Record<string, () => Promise<string>> = {}
  for (const [column, given] of Object.entries(Object.assign({}, ...makers) as Record<string, Given>))
    uses[column] = await given(parts)
  return uses
}

/** Every secret of a tenant, sealed again by another sealer: as it was before the key was changed, or after one is lost. */
export async function sealAgain(
  { world, tenant, sealer }: Omit<Surroundings, 'receiver'>,
  other: Sealer,
): Promise<string[]> {
  const columns: string[] = []
  for (const { column, lockSome, save } of SEALED)
    await transact(world.database, { tenantId: tenant.id, actor: system, requestId: 'test' }, async (tx) => {
      for (const { id, place, sealed } of await lockSome(tx, { after: 0, most: 1000 })) {
        save(tx, { id, sealed: other.seal(sealer.open(sealed, place), place) })
        columns.push(column)
      }
    })
  return columns.toSorted()
}
