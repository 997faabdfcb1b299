import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { Keyword } from '../../kernel/zod.ts'
import { menuRoutes } from '../menus/menus.routes.ts'
import { permissionRoutes } from '../roles/permissions.routes.ts'
import { roleRoutes } from '../roles/roles.routes.ts'
import { userRoutes } from '../users/users.routes.ts'
import { DirectoryEntry } from './people.schemas.ts'
import { directoryFilter, listDirectory } from './people.store.ts'

export interface PeopleOptions {
  /** the stored form of a password */
  hashPassword(password: string): Promise<string>
}

/** The people of a tenant, what they may do, and the menus they see. */
export const peopleRoutes: FastifyPluginAsyncZod<PeopleOptions> = async (app, { hashPassword }) => {
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

  await app.register(userRoutes, { hashPassword })
  await app.register(roleRoutes)
  await app.register(permissionRoutes)
  await app.register(menuRoutes)
}
