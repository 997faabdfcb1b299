import { type Finding, failed, ok, warn } from '../../src/atrium/finding.ts'
import type { FirstTenant } from '../../src/data/setup/probes.ts'

/** Can the system administrator sign in, and can a stranger register? */
export function checkFirstTenant(tenant: FirstTenant, production: boolean): Finding[] {
  const { code, status, expiredAt, registration } = tenant
  const enable = `atrium tenant enable ${code}`
  const closed = `the tenant ${code}, in which the system administrator signs in,`
  if (status === 'disabled') return [failed('first tenant', `${closed} is disabled: nobody can sign in to it`, enable)]
  if (expiredAt) return [failed('first tenant', `${closed} expired at ${expiredAt}`, enable)]
  if (registration === 'open' && production)
    return [
      warn(
        'first tenant',
        `strangers may register in ${code}`,
        'unless that is meant: PUT /api/v1/tenants/1 with {"registration":"closed"}, as the system administrator',
      ),
    ]
  return [ok('first tenant', `${code} is active, registration is ${registration}`)]
}
