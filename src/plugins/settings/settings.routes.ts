import type { DomainRoutes, FastifyReply } from '#atrium'
import { getSettings, renewalOf, sessionDaysOf } from '#atrium/tenants'
import { updateSettings } from './settings.actions.ts'
import { settingsFaults } from './settings.rules.ts'
import { SettingsPatch, SettingsView } from './settings.schemas.ts'

/** A tenant's own settings, and its subscription for its administrators. */
export const settingsRoutes: DomainRoutes = async (app, { config }) => {
  const viewOf = (reply: FastifyReply, settings: Awaited<ReturnType<typeof getSettings>>) => {
    reply.versioned({ id: reply.request.scope.tenantId, version: settings.version })
    const sessionDays = sessionDaysOf(settings, config.refreshTokenTtl)
    return { ...settings, sessionDays, renewal: renewalOf(config.renewals, settings) ?? null }
  }

  app.get(
    '/tenant/settings',
    {
      config: { access: 'settings:view', renews: true },
      schema: {
        operationId: 'getTenantSettings',
        summary: 'Read the settings of the tenant',
        description: 'Administrators of an expired tenant can read them too.',
        sends: ['ETag'],
        response: { 200: SettingsView },
      },
    },
    async (req, reply) => viewOf(reply, await getSettings(req.scope, { id: req.scope.tenantId })),
  )

  app.put(
    '/tenant/settings',
    {
      config: { access: 'settings:manage', versionIn: 'nowhere', ofTenant: true },
      schema: {
        operationId: 'updateTenantSettings',
        summary: 'Update the settings of the tenant',
        description:
          'Omitted fields stay. `registration` opens and closes the tenant to strangers: after `closed` has been answered, nobody can register. `plan` and `expiredAt` belong to the operator.',
        body: SettingsPatch,
        response: { 200: SettingsView },
        refuses: [settingsFaults.changed, settingsFaults.secondFactorMissing],
      },
    },
    async (req, reply) => viewOf(reply, await req.transact((tx) => updateSettings(tx, req.body, req))),
  )
}
