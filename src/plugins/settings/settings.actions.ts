import { assertVersion, type Expected, type Tx } from '#atrium'
import { lockSettings, recordTenantChanges, saveSettings, sessionsSinceOf } from '#atrium/tenants'
import { settingsFaults } from './settings.rules.ts'
import type { SettingsPatch } from './settings.schemas.ts'

/**
 * Changes the tenant's own settings.
 * @throws VERSION_CONFLICT, PRECONDITION_FAILED; SECOND_FACTOR_MISSING if somebody requires what they do not have
 */
export async function updateSettings(tx: Tx, patch: SettingsPatch, { ifMatch }: Expected = {}) {
  const settings = await lockSettings(tx, { id: tx.tenantId })
  const { version, ...given } = patch
  if (given.secondFactor === 'required' && settings.secondFactor !== 'required' && !tx.actor.hasSecondFactor)
    throw settingsFaults.secondFactorMissing()
  assertVersion(settings.version, { version, ifMatch }, settingsFaults.changed, 'read the settings and try again')
  const revised = { ...settings, ...given, sessionsSince: sessionsSinceOf(settings, tx.now) }
  saveSettings(tx, { ...revised, id: tx.tenantId })
  recordTenantChanges(tx, settings, revised)
  return { ...revised, version: settings.version + 1 }
}
