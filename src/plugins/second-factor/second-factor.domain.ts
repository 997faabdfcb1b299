import { domain } from '#atrium'
import { auth, secondFactors } from '#atrium/auth'
import { people } from '#atrium/people'
import { roles } from '#atrium/roles'
import { tenants } from '#atrium/tenants'
import { atSignIn } from './second-factor.actions.ts'
import { secondFactorRoutes } from './second-factor.routes.ts'

const words = {
  mails: {
    SECOND_FACTOR_ADDED: { facts: ['username'] },
    SECOND_FACTOR_REMOVED: { facts: ['username'] },
  },
  sentences: {
    'Second factor not found': '尚未启用双重验证',
    'Your account has a second factor; remove it first': '您的账号已启用双重验证，请先将其移除',
    'The code is wrong or was used already': '验证码错误或已被使用',
    'your own is removed with your password': '请使用密码移除自己的双重验证',
  },
} as const

declare module '#atrium' {
  interface Domains {
    'second-factor': typeof words
  }
}

export default domain({
  name: 'second-factor',
  about: 'A second factor at sign-in: codes of an authenticator, and recovery codes',
  uses: [auth, people, roles, tenants],
  ...words,
  mailTexts: new URL('./texts/', import.meta.url),
  provides: [secondFactors.by(atSignIn)],
  tags: {
    'second-factor': {
      description: 'One-time passwords of an app, beside the password.',
      paths: ['/auth/second-factor'],
    },
  },
  migrations: new URL('./migrations/', import.meta.url),
  document: new URL('./openapi.json', import.meta.url),
  console: new URL('./console/', import.meta.url),
  commands: () => import('./second-factor.commands.ts'),
  routes: secondFactorRoutes,
})
