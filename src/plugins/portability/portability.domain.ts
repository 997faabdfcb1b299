import { domain } from '#atrium'
import { files } from '#atrium/files'
import { tenants } from '#atrium/tenants'
import { portabilityRoutes } from './portability.routes.ts'

const words = {
  permissions: {
    'tenant:export': ['tenant-admin'],
  },
  sentences: {
    'An export of this tenant is running': '该租户的导出正在进行',
  },
} as const

declare module '#atrium' {
  interface Domains {
    portability: typeof words
  }
}

export default domain({
  name: 'portability',
  about: 'The export and import of a tenant',
  uses: [files, tenants],
  ...words,
  tags: {
    portability: { description: 'The data of a tenant, given back.', paths: ['/tenant/export'] },
  },
  document: new URL('./openapi.json', import.meta.url),
  commands: () => import('./portability.commands.ts'),
  console: new URL('./console/', import.meta.url),
  routes: portabilityRoutes,
})
