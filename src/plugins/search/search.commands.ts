import { type CommandLine, type Commands, command, everyTenant, openScope, tenantDirectory } from '#atrium'
import { buildAgain, indexNext } from './indexing.ts'

/** What operators do about the search. */
export function commands({ say, withDatabase, tenantOf }: CommandLine): Commands {
  const rebuild = command({
    about: 'Build the index of the search again, of a tenant or of all',
    detail: `Reads everything that is searched, writes what the index lacks and removes what is there no more. The service may run
meanwhile, and finds what the index holds. A command that is broken off is ended by the service.`,
    operands: ['[CODE]'],
    run: (_, code) =>
      withDatabase(async (database) => {
        const one = code === undefined ? undefined : openScope(database, (await tenantOf(database, code)).id)
        for await (const scope of one ? [one] : everyTenant(database)) {
          await buildAgain(database, scope)
          while (await indexNext(database, scope.tenantId));
          const tenant = (await tenantDirectory.get().byId(database, scope.tenantId))!
          say(`${tenant.code}: the index is complete.`)
        }
      }),
  })
  return { search: { about: 'The search', commands: { rebuild } } }
}
