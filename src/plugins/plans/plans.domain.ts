import { domain, quotas } from '#atrium'
import { tenants } from '#atrium/tenants'
import { takeRoom } from './plans.actions.ts'
import { planRoutes } from './plans.routes.ts'
import { limitRequests } from './tenant-requests.ts'

const words = {
  sentences: {
    '{quota}: {used} of {limit} are used': '{quota}：已使用 {used}，上限为 {limit}',
  },
} as const

declare module '#atrium' {
  interface Domains {
    plans: typeof words
  }
}

export default domain({
  name: 'plans',
  about: 'Limits of what tenants have and do, by the plans that PLANS names',
  uses: [tenants],
  ...words,
  provides: [quotas.by(takeRoom)],
  hooks: (app, { plans }) => limitRequests(app, plans),
  document: new URL('./openapi.json', import.meta.url),
  console: new URL('./console/', import.meta.url),
  routes: planRoutes,
})
