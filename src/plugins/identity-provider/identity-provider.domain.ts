import { domain, removing } from '#atrium'
import { auth, passwords } from '#atrium/auth'
import { organization } from '#atrium/organization'
import { people } from '#atrium/people'
import { roles } from '#atrium/roles'
import { users } from '#atrium/users'
import { invitations, linking } from '#plugins/invitations'
import { providerEvents } from './identity-provider.events.ts'
import { identityProviderRoutes } from './identity-provider.routes.ts'
import { removeOldSignIns } from './identity-provider.store.ts'
import { linksByInvitation, passwordsByProvider } from './sign-in.actions.ts'

const words = {
  events: providerEvents,
  sentences: {
    'Identity provider not found': '尚未配置身份提供商',
    'The identity provider does not answer as one': '无法连接该身份提供商',
    'The identity provider was changed by someone else': '身份提供商设置已被他人修改',
    'This sign-in was not started in this browser; start again': '此次登录并非由本浏览器发起，请重新登录',
    'This sign-in cannot be completed any more; start again': '此次登录已失效，请重新登录',
    'read the identity provider and try again': '请重新读取身份提供商设置后再试',
    'must be an encrypted address without a query': '必须是不带查询参数的加密地址',
    'must be that of the discovery': '必须与发现文档中的一致',
    'must be a page of an allowed origin': '必须是允许来源的页面',
    'must be a hash of 43 characters': '必须是 43 个字符的哈希值',
    'must be 43 to 128 letters and digits': '必须是 43 至 128 个字母和数字',
    'must name no more than 200 groups': '最多只能包含 200 个用户组',
  },
} as const

declare module '#atrium' {
  interface Domains {
    'identity-provider': typeof words
  }
}

export default domain({
  name: 'identity-provider',
  about: "Sign-in at a tenant's own identity provider (OpenID Connect)",
  uses: [auth, invitations, organization, people, roles, users],
  ...words,
  tags: {
    'identity-provider': {
      description: 'Sign-in where people already are: an OpenID Connect provider for each tenant.',
      paths: ['/tenant/identity-provider', '/auth/oidc', '/auth/sign-in-methods'],
    },
  },
  provides: [passwords.by(passwordsByProvider), linking.by(linksByInvitation)],
  cleanups: () => [removing('sign-ins at providers', removeOldSignIns)],
  migrations: new URL('./migrations/', import.meta.url),
  document: new URL('./openapi.json', import.meta.url),
  console: new URL('./console/', import.meta.url),
  routes: identityProviderRoutes,
})
