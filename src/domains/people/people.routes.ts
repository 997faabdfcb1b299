import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { Keyword } from '../../kernel/zod.ts'
import { DirectoryEntry } from './people.schemas.ts'
import { directoryFilter, listDirectory } from './people.store.ts'

/** The people of a tenant, as everybody in it may find them. */
export const peopleRoutes: FastifyPluginAsyncZod = async (app) => {
  app.get(
    '/users/directory',
    {
      config: { access: 'signed-in' },
      schema: {
        operationId: 'listUserDirectory',
        summary: 'Find people of the tenant',
        description: 'Active users by user name or nickname, at most 50, for pickers.',
        querystring: z.object({ keyword: Keyword }),
        response: { 200: z.array(DirectoryEntry) },
      },
    },
    (req) => listDirectory(req.scope, directoryFilter(req.query.keyword)),
  )
}
