import { domain, firstTenant, isTimeZone, sharedScope, startChecks, tenantDirectory, usable } from '#atrium'
import { content } from '#atrium/content'
import { organization } from '#atrium/organization'
import { people } from '#atrium/people'
import { roles } from '#atrium/roles'
import { bootstrap, warnOfOpenDoor } from './bootstrap.ts'
import { erasures } from './erase.ts'
import { tenantEvents } from './tenants.events.ts'
import { tenantRoutes } from './tenants.routes.ts'
import { findTenant, findTenantByCode } from './tenants.store.ts'

const words = {
  permissions: {
    'tenant:list': [],
    'settings:view': ['tenant-admin'],
    'settings:manage': ['tenant-admin'],
  },
  events: tenantEvents,
  sentences: {
    'Tenant not found': '租户不存在',
    'This tenant code is taken': '该租户编码已被使用',
    'The first tenant can be neither disabled nor given an expiry': '首个租户不能被停用，也不能设置到期时间',
    'This tenant is closing; reopen it first': '该租户正在关闭，请先恢复',
    'The erasure of this tenant has begun': '该租户的数据清除已经开始',
    'The import of this tenant was broken off; repeat the import': '该租户的导入已中断，请重新导入',
    'This tenant is not closing': '该租户未处于关闭状态',
    'must be 3 to 64 lower-case letters, digits and hyphens, beginning with a letter':
      '必须为 3 至 64 个小写字母、数字或连字符，以字母开头，且不能以连字符结尾',
  },
} as const

declare module '#atrium' {
  interface Domains {
    tenants: typeof words
  }
}

export const tenants = domain({
  name: 'tenants',
  uses: [content, organization, people, roles],
  provides: [
    tenantDirectory.by({
      byId: (database, id) => findTenant(sharedScope(database), { id }),
      byCode: (database, code) => findTenantByCode(sharedScope(database), { code }),
    }),
    firstTenant.by(bootstrap),
    startChecks.by(warnOfOpenDoor),
    usable.by({ tenants: { time_zone: isTimeZone } }),
  ],
  ...words,
  tags: {
    tenants: { description: 'The tenants, for the system administrator.', paths: ['/tenants'] },
    settings: { description: "The tenant's own settings, for its administrators.", paths: ['/tenant'] },
  },
  jobs: () => [erasures],
  commands: () => import('./tenants.commands.ts'),
  routes: tenantRoutes,
})
