import { domain } from '#atrium'
import { planRoutes } from './plans.routes.ts'

const words = {
  sentences: {
    'The plan of this tenant has no room for this': '当前租户的套餐额度不足',
    '{quota}: {used} of {limit} are used': '{quota}：已使用 {used}，上限为 {limit}',
  },
} as const

declare module '#atrium' {
  interface Domains {
    plans: typeof words
  }
}

export const plans = domain({ name: 'plans', ...words, routes: planRoutes })
