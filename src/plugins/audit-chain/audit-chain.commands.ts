import { type CommandLine, type Commands, command, everyTenant, openScope, tenantDirectory } from '#atrium'
import { verifyChain } from './verify.ts'

/** What operators do about the audit. */
export function commands({ say, withDatabase, tenantOf }: CommandLine): Commands {
  const verify = command({
    about: 'Check that no audit row of a tenant, or of all, was changed, removed or inserted',
    detail: `Compares each row with its link in the chain, and names the first that does not fit. The newest rows, which have no link
yet, are not checked. Keep the last link of each tenant elsewhere: a later run must still find it.
Exit code 1 if a row does not fit.`,
    operands: ['[CODE]'],
    run: (_, code) =>
      withDatabase(async (database) => {
        const one = code === undefined ? undefined : openScope(database, (await tenantOf(database, code)).id)
        let isWhole = true
        for await (const scope of one ? [one] : everyTenant(database)) {
          const tenant = (await tenantDirectory.get().byId(database, scope.tenantId))!
          const { rows, end, broken } = await verifyChain(scope)
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
  return { audit: { about: 'The audit', commands: { verify } } }
}
