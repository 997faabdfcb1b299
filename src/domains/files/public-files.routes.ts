import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { openScope, ports, type Scope } from '#atrium'
import { DOWNLOAD, deliverFile, takeLiterally, withdraw } from './delivery.ts'
import { fileFaults, isStoredName } from './files.rules.ts'
import { getPublicFile } from './files.store.ts'
import type { Storage } from './storage/storage.ts'

/** Whether something that the public sees names a file. Each domain with such names provides its own. */
export const publicity = ports<(scope: Scope, filename: string) => Promise<boolean>>('what shows a file to the public')

/**
 * Files that the public sees, such as pictures of a page without a token. The path names the tenant, because a
 * page cannot send headers for its pictures.
 */
export const publicFileRoutes: FastifyPluginAsyncZod<{ storage: Storage; maxAge: number }> = async (
  app,
  { storage, maxAge },
) => {
  app.get(
    '/public/files/:tenantId/:filename',
    {
      config: { access: 'anyone' },
      preValidation: takeLiterally,
      errorHandler: withdraw,
      schema: {
        operationId: 'downloadPublicFile',
        summary: 'Download a public file',
        description:
          'The cover of a published article, a file that its editors attached to it, the picture of a person, or a file that the portal names. Any other file is a 404, and so is one of which this is no longer true.',
        ...DOWNLOAD,
        sends: ['ETag', 'Last-Modified', 'Accept-Ranges', 'Content-Disposition', 'Cache-Control'],
        refuses: [fileFaults.notFound, fileFaults.changed, fileFaults.noSuchRange],
      },
    },
    async (req, reply) => {
      const { tenantId, filename } = req.params
      if (!isStoredName(filename)) throw fileFaults.notFound()
      const { id } = await app.tenancies.enterById(tenantId, fileFaults.notFound)
      const scope = openScope(app.database, id)
      const [file, ...isNamed] = await Promise.all([
        getPublicFile(scope, { filename }),
        ...publicity.all().map((isNamedIn) => isNamedIn(scope, filename)),
      ])
      if (!file.isPublic && !isNamed.includes(true)) throw fileFaults.notFound()
      reply.header('cross-origin-resource-policy', 'cross-origin')
      return deliverFile(req, reply, storage, file, `public, max-age=${maxAge}`)
    },
  )
}
