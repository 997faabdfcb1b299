import { command, type Group } from '../../src/atrium/command-line.ts'
import { listSealedColumns, lockSealed, type SealedColumn, saveSealed } from '../../src/data/archive/sealed.ts'
import { inTenant } from '../../src/data/connections/connect-alone.ts'
import { everyTenant } from '../../src/data/jobs/every-tenant.ts'
import type { Database } from '../../src/data/wire/database.ts'
import type { TenantId } from '../../src/kernel/actor.ts'
import { type Sealer, UnknownKey } from '../../src/util/seal.ts'
import { remark, say } from './terminal.ts'
import { configOf, withDatabase } from './workplace.ts'

const reseal = command({
  about: 'Encrypt all stored secrets with the newest key',
  detail: `To replace ENCRYPTION_KEY, put the new key before the old one, separated by a comma, and restart every process. Then
run this, and remove the old key. It can run beside the service, and more than once. It fails if a secret cannot be opened
with any of the keys.`,
  run: async () => {
    const config = configOf(process.env)
    return withDatabase(config, async (database) => {
      const count = { resealed: 0, current: 0, lost: 0 }
      const client = await database.connectAlone()
      try {
        const columns = await listSealedColumns(client)
        for await (const { tenantId } of everyTenant(database))
          for (const column of columns) {
            const { resealed, current, lost } = await resealColumn(client, database, tenantId, column)
            count.resealed += resealed
            count.current += current
            count.lost += lost.length
            for (const place of lost) remark(`No configured key opens ${place}.`)
          }
      } finally {
        await client.end()
      }
      say(`${count.resealed} secrets were encrypted with the newest key; ${count.current} were so already.`)
      if (count.lost === 0) return 0
      remark(`${count.lost} cannot be opened: their key is missing in ENCRYPTION_KEY.`)
      return 1
    })
  },
})

export const secrets: Group = { about: 'Stored secrets', commands: { reseal } }

const AT_ONCE = 200

/** Seals the texts of one column in one tenant again, in batches that commit one by one. */
async function resealColumn(
  client: Awaited<ReturnType<Database['connectAlone']>>,
  { role, sealer }: Database,
  tenantId: TenantId,
  column: SealedColumn,
) {
  const done = { resealed: 0, current: 0, lost: [] as string[] }
  for (let after = 0; ; ) {
    const batch = await inTenant(client, role, tenantId, async () => {
      const found = await lockSealed(client, column, { tenantId, after, most: AT_ONCE })
      for (const { id, place, sealed } of found) {
        const plain = openIfPossible(sealer!, sealed, place)
        if (plain === undefined) done.lost.push(place)
        else if (!sealer!.isOld(sealed)) done.current++
        else {
          await saveSealed(client, column, tenantId, { id, sealed: sealer!.seal(plain, place) })
          done.resealed++
        }
      }
      return found
    })
    if (batch.length < AT_ONCE) return done
    after = batch.at(-1)!.id
  }
}

function openIfPossible(sealer: Sealer, sealed: string, place: string): string | undefined {
  try {
    return sealer.open(sealed, place)
  } catch (error) {
    if (error instanceof UnknownKey) return undefined
    throw error
  }
}
