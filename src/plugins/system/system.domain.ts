import { domain } from '#atrium'
import { systemRoutes } from './system.routes.ts'

export default domain({
  name: 'system',
  about: 'The installation itself, for the system administrator',
  tags: {
    system: { description: 'The installation itself, for the system administrator.', paths: ['/system'] },
  },
  document: new URL('./openapi.json', import.meta.url),
  console: new URL('./console/', import.meta.url),
  routes: systemRoutes,
})
