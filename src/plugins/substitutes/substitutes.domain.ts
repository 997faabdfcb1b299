import { domain, isTimeZone, removing, usable } from '#atrium'
import { approvals, standIns } from '#atrium/approvals'
import { auth } from '#atrium/auth'
import { organization } from '#atrium/organization'
import { dependents, people } from '#atrium/people'
import { roles } from '#atrium/roles'
import { tenants } from '#atrium/tenants'
import { substituteOf, users } from '#atrium/users'
import { substitutions } from './begin-substitutions.ts'
import { substitutionsOfPerson } from './substitutes.actions.ts'
import { substituteEvents } from './substitutes.events.ts'
import { substituteRoutes } from './substitutes.routes.ts'
import {
  decidedForBy,
  listRepresented,
  removeEnded,
  representedBy,
  standInOf,
  substituteShown,
} from './substitutes.store.ts'

const words = {
  resources: ['user'],
  events: substituteEvents,
  notifications: {
    SUBSTITUTE_FOR: {
      en: 'You decide for {user} from {from} to {until}',
      zh: '{from} 至 {until} 期间由您代 {user} 审批',
    },
    SUBSTITUTE_NAMED: {
      en: '{user} decides for you from {from} to {until}',
      zh: '{from} 至 {until} 期间由 {user} 代您审批',
    },
    SUBSTITUTE_DISMISSED: {
      en: 'The substitution between you and {user} has ended',
      zh: '您与 {user} 之间的审批代理已结束',
    },
  },
  sentences: {
    'A substitute must be permitted to decide requests': '代理人必须具有审批权限',
    'The last day lies before the first day': '结束日期早于开始日期',
    'must not lie before the first day': '不能早于开始日期',
    'must be a day of this millennium': '必须是 2000 年至 2999 年之间的日期',
    'must be somebody else': '不能是本人',
  },
} as const

declare module '#atrium' {
  interface Domains {
    substitutes: typeof words
  }
}

export default domain({
  name: 'substitutes',
  about: 'One person decides approvals for another who is away',
  uses: [approvals, auth, organization, people, roles, tenants, users],
  ...words,
  tags: {
    substitutes: {
      description: 'One person decides for another who is away.',
      paths: ['/users/me/substitute', '/users/:id/substitute'],
    },
  },
  provides: [
    dependents.by(substitutionsOfPerson),
    standIns.by({ of: standInOf, representedBy, decidedForBy, listRepresented }),
    substituteOf.by(substituteShown),
    usable.by({ substitutes: { time_zone: isTimeZone } }),
  ],
  jobs: () => [substitutions],
  cleanups: () => [removing('substitutions that have ended', removeEnded)],
  migrations: new URL('./migrations/', import.meta.url),
  document: new URL('./openapi.json', import.meta.url),
  console: new URL('./console/', import.meta.url),
  routes: substituteRoutes,
})
