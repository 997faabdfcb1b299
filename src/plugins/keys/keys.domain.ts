import { domain } from '#atrium'
import { auth, keyHolders } from '#atrium/auth'
import { organization } from '#atrium/organization'
import { people } from '#atrium/people'
import { roles } from '#atrium/roles'
import { users } from '#atrium/users'
import { accountRoutes } from './accounts.routes.ts'
import { rememberKeys } from './callers.ts'
import { keyEvents } from './keys.events.ts'

const words = {
  permissions: { 'key:manage': ['tenant-admin'] },
  events: keyEvents,
  sentences: {
    'Service account not found': '服务账号不存在',
    'Key not found': '密钥不存在',
    'must be a permission of the catalogue': '必须是权限目录中的权限',
    'must be in the future': '必须晚于当前时间',
  },
} as const

declare module '#atrium' {
  interface Domains {
    keys: typeof words
  }
}

export default domain({
  name: 'keys',
  about: 'Service accounts, and keys for programs',
  uses: [auth, organization, people, roles, users],
  ...words,
  tags: {
    keys: {
      description:
        'Service accounts, as which other systems call, and their keys. A key is sent like an access token, `Authorization: Bearer atr_…`, and works everywhere except below `/auth`.',
      paths: ['/service-accounts'],
    },
  },
  provides: [keyHolders.by(rememberKeys)],
  migrations: new URL('./migrations/', import.meta.url),
  document: new URL('./openapi.json', import.meta.url),
  console: new URL('./console/', import.meta.url),
  routes: accountRoutes,
})
