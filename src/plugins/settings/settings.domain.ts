import { domain } from '#atrium'
import { roles } from '#atrium/roles'
import { tenants } from '#atrium/tenants'
import { expiryNotices } from './expiry-notices.ts'
import { settingsRoutes } from './settings.routes.ts'

const words = {
  resources: ['tenant'],
  notifications: {
    TENANT_EXPIRES: { en: 'Your subscription ends on {date}', zh: '订阅将于 {date} 到期' },
  },
  sentences: {
    'The settings were changed by someone else': '设置已被他人修改',
    'Add a second factor to your own account first': '请先为自己的账号启用双重验证',
    'read the settings and try again': '请重新读取设置后再试',
  },
} as const

declare module '#atrium' {
  interface Domains {
    settings: typeof words
  }
}

export default domain({
  name: 'settings',
  about: 'The settings of a tenant, and notices before it expires',
  uses: [roles, tenants],
  ...words,
  migrations: new URL('./migrations/', import.meta.url),
  document: new URL('./openapi.json', import.meta.url),
  jobs: () => [expiryNotices],
  console: new URL('./console/', import.meta.url),
  routes: settingsRoutes,
})
