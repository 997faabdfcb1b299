import { verifyChain } from '#atrium/audit'
import { listTenants } from '#atrium/tenants'
import { command, type Group } from '../../src/atrium/command-line.ts'
import { openScope, sharedScope } from '../../src/data/tx/open-scope.ts'
import type { Database } from '../../src/data/wire/database.ts'
import { tenantOf } from '../cli/system.ts'
import { say } from '../cli/terminal.ts'
import { configOf, withDatabase } from '../cli/workplace.ts'

const verify = command({
  about: 'Check that no audit row of a tenant, or of all, was changed, removed or inserted',
  detail: `Compares each row with its link in the chain, and names the first that does not fit. The newest rows, which have no link
yet, are not checked. Keep the last link of each tenant elsewhere: a later run must still find it.
Exit code 1 if a row does not fit.`,
  operands: ['[CODE]'],
  run: (_, code) =>
    withDatabase(configOf(process.env), async (database) => {
      const tenants = code === undefined ? everyTenant(database) : [await tenantOf(database, code)]
      let isWhole = true
      for await (const tenant of tenants) {
        const { rows, end, broken } = await verifyChain(openScope(database, tenant.id))
        if (broken) isWhole = false
        const fits = `${rows} ${rows === 1 ? 'row fits' : 'rows fit'}`
        say(
          broken
            ? `${tenant.code}: row ${broken.id} ${broken.what}. ${fits} before it.`
            : `${tenant.code}: ${fits}. The chain ends with row ${end.id}, ${end.chain}`,
        )
      }
      return isWhole ? 0 : 1
    }),
})

export const audit: Group = { about: 'The audit', commands: { verify } }

async function* everyTenant(database: Database) {
  for (let before: number | undefined, more = true; more; ) {
    const page = await listTenants(sharedScope(database), {}, { limit: 1000, before, counted: false })
    yield* page.rows
    before = page.rows.at(-1)?.id
    more = page.next !== undefined
  }
}
