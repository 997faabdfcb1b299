import type { SealedSecrets } from '#atrium'
import { command, type Group } from '../../src/atrium/command-line.ts'
import { everyTenant } from '../../src/data/jobs/every-tenant.ts'
import { transact } from '../../src/data/tx/transact.ts'
import type { Database } from '../../src/data/wire/database.ts'
import { system, type TenantId } from '../../src/kernel/actor.ts'
import { loadDomains } from '../../src/load-domains.ts'
import { UnknownKey } from '../../src/util/seal.ts'
import { remark, say } from '../cli/terminal.ts'
import { configOf, withDatabase } from '../cli/workplace.ts'

const reseal = command({
  about: 'Encrypt all stored secrets with the newest key',
  detail: `To replace ENCRYPTION_KEY, put the new key before the old one, separated by a comma, and restart every process. Then
run this, and remove the old key. It can run beside the service, and more than once. It fails if a secret cannot be opened
with any of the keys.`,
  run: async () => {
    const config = configOf(process.env)
    const kinds = (await loadDomains(config)).flatMap(({ sealed = [] }) => sealed)
    return withDatabase(config, async (database) => {
      const count = { resealed: 0, current: 0, lost: 0 }
      for await (const { tenantId } of everyTenant(database))
        for (const kind of kinds) {
          const { resealed, current, lost } = await resealKind(database, tenantId, kind)
          count.resealed += resealed
          count.current += current
          count.lost += lost.length
          for (const place of lost) remark(`No configured key opens ${place}.`)
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

/** Seals the secrets of one kind in one tenant again, in batches that commit one by one. */
async function resealKind(database: Database, tenantId: TenantId, { lockSome, save }: SealedSecrets) {
  const done = { resealed: 0, current: 0, lost: [] as string[] }
  for (let after = 0; ; ) {
    const found = await transact(database, { tenantId, actor: system, requestId: 'secrets reseal' }, async (tx) => {
      const batch = await lockSome(tx, { after, most: AT_ONCE })
      const read = batch.map((secret) => ({ ...secret, plain: openIfPossible(tx.sealer, secret) }))
      const old = read.filter(({ sealed, plain }) => plain !== undefined && tx.sealer.isOld(sealed))
      for (const { id, place, plain } of old) save(tx, { id, sealed: tx.sealer.seal(plain!, place) })
      const lost = read.filter(({ plain }) => plain === undefined).map(({ place }) => place)
      return { old: old.length, lost, all: batch.length, last: batch.at(-1)?.id ?? after }
    })
    done.resealed += found.old
    done.current += found.all - found.old - found.lost.length
    done.lost.push(...found.lost)
    if (found.all < AT_ONCE) return done
    after = found.last
  }
}

function openIfPossible(sealer: Database['sealer'] & {}, { sealed, place }: { sealed: string; place: string }) {
  try {
    return sealer.open(sealed, place)
  } catch (error) {
    if (error instanceof UnknownKey) return undefined
    throw error
  }
}
