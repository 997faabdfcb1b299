import { domain } from '#atrium'
import { systemRoutes } from './system.routes.ts'

export const system = domain({
  name: 'system',
  tags: {
    system: { description: 'The installation itself, for the system administrator.', paths: ['/system'] },
  },
  routes: systemRoutes,
})
