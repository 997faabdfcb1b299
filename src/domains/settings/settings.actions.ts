import { assertMatch, type Expected, type Tx } from '#atrium'
import { lockSettings, saveRegistration } from '#atrium/tenants'
import { settingsFaults } from './settings.rules.ts'
import type { SettingsPatch } from './settings.schemas.ts'

/** Changes the tenant's own settings. @throws VERSION_CONFLICT, PRECONDITION_FAILED */
export async function updateSettings(tx: Tx, patch: SettingsPatch, { ifMatch }: Expected = {}) {
  const settings = await lockSettings(tx, { id: tx.tenantId })
  const { version: expected, registration = settings.registration } = patch
  const actual = settings.version
  assertMatch(actual, ifMatch)
  if (expected !== undefined && expected !== actual)
    throw settingsFaults.changed([
      { path: 'body.version', expected, actual, message: 'read the settings and try again' },
    ])
  saveRegistration(tx, { id: tx.tenantId, registration })
  return { ...settings, registration, version: actual + 1 }
}
