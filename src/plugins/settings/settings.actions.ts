import { assertMatch, type Expected, type Tx } from '#atrium'
import { lockSettings, recordTenantChanges, saveSettings, sessionsSinceOf } from '#atrium/tenants'
import { settingsFaults } from './settings.rules.ts'
import type { SettingsPatch } from './settings.schemas.ts'

/**
 * Changes the tenant's own settings.
 * @throws VERSION_CONFLICT, PRECONDITION_FAILED; SECOND_FACTOR_MISSING if somebody requires what they do not have
 */
export async function updateSettings(tx: Tx, patch: SettingsPatch, { ifMatch }: Expected = {}) {
  const settings = await lockSettings(tx, { id: tx.tenantId })
  const { version: expected, ...given } = patch
  const actual = settings.version
  if (given.secondFactor === 'required' && settings.secondFactor !== 'required' && !tx.actor.hasSecondFactor)
    throw settingsFaults.secondFactorMissing()
  assertMatch(actual, ifMatch)
  if (expected !== undefined && expected !== actual)
    throw settingsFaults.changed([
      { path: 'body.version', expected, actual, message: 'read the settings and try again' },
    ])
  const revised = { ...settings, ...given, sessionsSince: sessionsSinceOf(settings, tx.now) }
  saveSettings(tx, { ...revised, id: tx.tenantId })
  recordTenantChanges(tx, settings, revised)
  return { ...revised, version: actual + 1 }
}
