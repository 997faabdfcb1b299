import { domain } from '#atrium'
import { tenants } from '#atrium/tenants'
import { events } from '#plugins/events'
import { searchRoutes } from './search.routes.ts'
import { indexing } from './worker.ts'

const words = {
  sentences: { 'must be kinds of things that are searched': '必须是可以搜索的对象类型' },
} as const

declare module '#atrium' {
  interface Domains {
    search: typeof words
  }
}

export default domain({
  name: 'search',
  about: 'A search in everything that a person may see',
  uses: [tenants, events],
  ...words,
  tags: {
    search: { description: 'A search in everything that the caller may see.', paths: ['/search'] },
  },
  jobs: () => [indexing],
  commands: () => import('./search.commands.ts'),
  migrations: new URL('./migrations/', import.meta.url),
  document: new URL('./openapi.json', import.meta.url),
  console: new URL('./console/', import.meta.url),
  routes: searchRoutes,
})
