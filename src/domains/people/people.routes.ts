import { containing, type DomainRoutes, pageRequestOf, z } from '#atrium'
import { DirectoryEntry, DirectoryQuery } from './people.schemas.ts'
import { listDirectory } from './people.store.ts'

const SHOWN_BY_A_PICKER = 50

/** The people of a tenant, for everyone in it. */
export const peopleRoutes: DomainRoutes = async (app) => {
  app.get(
    '/users/directory',
    {
      config: { access: 'signed-in' },
      schema: {
        operationId: 'listUserDirectory',
        summary: 'Find people of the tenant',
        description:
          'Active users by user name or nickname, for pickers: 50 unless `pageSize` says otherwise, and `Link` continues after them. `ids` looks up people by id, including former ones.',
        querystring: DirectoryQuery,
        response: { 200: z.array(DirectoryEntry) },
      },
    },
    async (req, reply) => {
      const { keyword, ids } = req.query
      const filter = { ids, pattern: keyword && containing(keyword) }
      const request = pageRequestOf(req.query, ids?.length ?? SHOWN_BY_A_PICKER)
      return reply.list(await listDirectory(req.scope, filter, request))
    },
  )
}
