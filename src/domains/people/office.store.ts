import { FIRST_TENANT, FIRST_USER, type From, find, lend, type Scope, sql, type UserId, write } from '#atrium'

/** In a query over `users`: whether a person of the first tenant is the system administrator. */
export const holdsOffice = lend(
  ['systemAdministrator'],
  (from: From) =>
    sql<boolean>`users.id = coalesce((${from('systemAdministrator').select('systemAdministrator.userId')}), ${sql.lit(FIRST_USER)})`,
)

const findAppointed = find((from, _: object) => from('systemAdministrator').select('systemAdministrator.userId'))

/** The system administrator; undefined outside the first tenant. */
export async function findOfficeHolder(scope: Scope): Promise<UserId | undefined> {
  if (scope.tenantId !== FIRST_TENANT) return undefined
  return (await findAppointed(scope, {}))?.userId ?? FIRST_USER
}

/** Gives the office to another person of the first tenant. Both have other rights from then on. */
export const appoint = write(
  ({ insert }, p: { userId: number; former: number }) =>
    insert('systemAdministrator', { userId: p.userId }).onConflict((conflict) =>
      conflict.columns(['tenantId', 'id']).doUpdateSet({ userId: p.userId }),
    ),
  { announces: (p) => [{ user: p.userId }, { user: p.former }] },
)
