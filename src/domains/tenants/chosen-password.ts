import { faults, type Scope } from '#atrium'
import { assertChosenWell } from '#atrium/people'
import { getPolicy } from './tenants.store.ts'

/**
 * A password that a person chooses: as long as their tenant asks for, not common, and none of their names.
 * @param tenant its code and name, if known
 * @throws VALIDATION_FAILED at `path`
 */
export async function assertMayChoose(
  scope: Scope,
  password: string,
  owner: { username: string; email?: string | null },
  path: string,
  tenant: readonly string[],
): Promise<void> {
  const { passwordMinLength: minimum } = await getPolicy(scope, { id: scope.tenantId })
  if (password.length < minimum)
    throw faults.validation([{ path, minimum, message: 'must have no fewer than {minimum} characters' }])
  assertChosenWell(password, owner, path, tenant)
}
