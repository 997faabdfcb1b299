import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import {
  listSealedColumns,
  lockSealed,
  type SealedColumn,
  type SealedText,
  saveSealed,
} from '../../src/data/archive/sealed.ts'
import { inTenant } from '../../src/data/connections/connect-alone.ts'
import type { Sealer } from '../../src/util/seal.ts'
import { apart } from './domains.ts'
import type { Receiver } from './receiver.ts'
import { tableFacts } from './schema-text.ts'
import type { Tenant, World } from './world.ts'

/** The columns with sealed secrets, as the migrations say: `webhooks.sealed`. */
export const SEALED: string[] = [...tableFacts].flatMap(([table, { sealed = {} }]) =>
  Object.keys(sealed).map((column) => `${table}.${column}`),
)

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

/**
 * Locks the secrets of a tenant, as a change of the key does, and saves what `change` makes of each.
 * @returns the column of each
 */
export async function changeSealed(
  { database }: World,
  tenantId: number,
  change: (secret: SealedText) => string | Promise<string>,
  isMeant: (column: SealedColumn) => boolean = () => true,
): Promise<string[]> {
  const client = await database.connectAlone()
  try {
    const columns = (await listSealedColumns(client)).filter(isMeant)
    return await inTenant(client, database.role, tenantId, async () => {
      const changed: string[] = []
      for (const column of columns)
        for (const secret of await lockSealed(client, column, { tenantId, after: 0, most: 1000 })) {
          await saveSealed(client, column, tenantId, { id: secret.id, sealed: await change(secret) })
          changed.push(`${column.table}.${column.column}`)
        }
      return changed
    })
  } finally {
    await client.end()
  }
}

/** Every secret of a tenant, sealed again by another sealer: as it was before the key was changed, or after one is lost. */
export async function sealAgain(
  { world, tenant, sealer }: Omit<Surroundings, 'receiver'>,
  other: Sealer,
): Promise<string[]> {
  const again = ({ sealed, place }: SealedText) => other.seal(sealer.open(sealed, place), place)
  return (await changeSealed(world, tenant.id, again)).toSorted()
}
