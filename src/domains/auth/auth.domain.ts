import { domain, openCallers, startChecks } from '#atrium'
import { dependents, people } from '#atrium/people'
import { roles } from '#atrium/roles'
import { tenants } from '#atrium/tenants'
import { endedSessions, refuseDevelopmentPassword } from './auth.actions.ts'
import { authRoutes } from './auth.routes.ts'
import { forgetLastSignIn } from './auth.store.ts'
import { callersHere } from './callers.ts'

const words = {
  resources: ['user'],
  notifications: { USER_REGISTERED: { en: '{user} registered', zh: '{user} 已注册' } },
  sentences: {
    'The user name or the password is wrong': '用户名或密码错误',
    'Enter the code of your second factor': '请输入双重验证码',
    'The session has ended; sign in again': '会话已结束，请重新登录',
    'The current password is wrong': '当前密码错误',
    'must not be the current password': '不能与当前密码相同',
    'Session not found': '会话不存在',
    'Sign in at the identity provider of your organization': '请通过企业身份提供商登录',
    'This tenant takes no registrations': '该租户未开放注册',
  },
} as const

declare module '#atrium' {
  interface Domains {
    auth: typeof words
  }
}

export const auth = domain({
  name: 'auth',
  uses: [people, roles, tenants],
  ...words,
  tags: { auth: { description: 'Sign-in, registration and sessions.', paths: ['/auth'] } },
  provides: [
    openCallers.by(callersHere),
    startChecks.by(refuseDevelopmentPassword),
    dependents.by({ columns: ['lastSignIns.userId'], end: forgetLastSignIn }),
  ],
  cleanups: () => endedSessions,
  routes: authRoutes,
})
