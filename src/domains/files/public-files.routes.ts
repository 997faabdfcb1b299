import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { openScope, port, type Scope, seesEverything } from '#atrium'
import { deliverFile, takeLiterally, withdraw } from './delivery.ts'
import { fileFaults, isStoredName } from './files.rules.ts'
import { FileBytes, FileParams } from './files.schemas.ts'
import { getFile } from './files.store.ts'
import type { Storage } from './storage/storage.ts'

/** Whether a tenant's public content names one of its files. */
export const publicity = port<(scope: Scope, filename: string) => Promise<boolean>>('which files the public may read')

/**
 * Files that published content names, such as pictures of a page without a token. The path names the tenant, because a
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
        summary: 'Download a file that published content names',
        description:
          'The cover of a published article, or a file that the portal names. Any other file is a 404, and so is one that content no longer names.',
        params: FileParams,
        takes: ['Range', 'If-Range', 'If-None-Match', 'If-Match', 'If-Modified-Since', 'If-Unmodified-Since'],
        sends: ['ETag', 'Last-Modified', 'Accept-Ranges', 'Content-Disposition', 'Cache-Control'],
        refuses: [fileFaults.notFound, fileFaults.changed, fileFaults.noSuchRange],
        response: { 200: { description: 'The bytes', content: { '*/*': { schema: FileBytes } } } },
      },
    },
    async (req, reply) => {
      const { tenantId, filename } = req.params
      if (!isStoredName(filename)) throw fileFaults.notFound()
      const { id } = await app.tenancies.enterById(tenantId, fileFaults.notFound)
      const scope = openScope(app.database, id)
      const [file, isPublic] = await Promise.all([
        getFile(scope, { filename, ...seesEverything('what published content names, anyone may see') }),
        publicity.get()(scope, filename),
      ])
      if (!isPublic) throw fileFaults.notFound()
      reply.header('cross-origin-resource-policy', 'cross-origin')
      return deliverFile(req, reply, storage, file, `public, max-age=${maxAge}`)
    },
  )
}
