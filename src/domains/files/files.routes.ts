import multipart from '@fastify/multipart'
import fastifyStatic from '@fastify/static'
import {
  arrayQuery,
  assertAtHome,
  type DomainRoutes,
  type FastifyRequest,
  faults,
  openScope,
  pageRequestOf,
  seesEverything,
  z,
} from '#atrium'
import { deliverFile, takeLiterally, withdraw } from './delivery.ts'
import { deleteFile, keepUpload } from './files.actions.ts'
import { fileFaults, filesSeenBy, fileView, isStoredName } from './files.rules.ts'
import { FileBytes, FileParams, FileUpload, FileView } from './files.schemas.ts'
import { getFile, listFiles, type StoredFile } from './files.store.ts'
import { publicFileRoutes } from './public-files.routes.ts'
import { openStorage } from './storage/open-storage.ts'
import { startSweeper } from './sweep.ts'
import { receiveUpload } from './upload.ts'

/** How long a file of the largest size may take to arrive. */
const UPLOAD_WITHIN_MS = 300_000

/** Files: upload as a form, download, list, delete. */
export const fileRoutes: DomainRoutes = async (app, { config }) => {
  const settings = config.files
  const uploads = { name: 'upload', most: config.uploadLimit, windowMs: 60_000 }
  const storage = await openStorage(settings)
  const sweeper = app.runsJobs ? startSweeper(app.database, storage, config.fileQuarantineDays) : undefined
  app.addHook('onClose', async () => {
    await sweeper?.stop()
    storage.close()
  })
  await app.register(fastifyStatic, { serve: false })

  app.get(
    '/files',
    {
      config: { access: 'signed-in' },
      schema: {
        operationId: 'listFiles',
        summary: 'List files',
        description:
          "The tenant's files, newest first. Callers who registered themselves (`selfRegistered`) see only their own, unless they hold `file:manage`.",
        querystring: arrayQuery({}),
        response: { 200: z.array(FileView) },
      },
    },
    async (req, reply) => {
      const files = await listFiles(req.scope, filesSeenBy(req.user), pageRequestOf(req.query))
      reply.list(files)
      return files.rows.map((file) => fileView(file.tenantId, file))
    },
  )

  // Only this route reads forms; elsewhere they are an unknown media type.
  await app.register(async (door) => {
    door.removeContentTypeParser('application/json')
    await door.register(multipart, { throwFileSizeLimit: false })
    door.post(
      '/files',
      {
        config: { access: 'file:upload', bodyWithin: UPLOAD_WITHIN_MS, counts: 'file_uploaded', limit: uploads },
        schema: {
          operationId: 'uploadFile',
          summary: 'Upload a file',
          description: 'One part `file`. Accepted by extension and content: images, PDF, text, Office documents, zip.',
          consumes: ['multipart/form-data'],
          body: FileUpload,
          response: { 201: FileView },
          sends: ['Location', 'RateLimit', 'RateLimit-Policy'],
          refuses: [fileFaults.rejected, fileFaults.kind, fileFaults.tooLarge, fileFaults.full, faults.notInTenant],
        } as { response: { 201: typeof FileView } },
      },
      async (req, reply) => {
        const { id: tenantId } = req.tenant!
        assertAtHome({ actor: req.user, tenantId })
        const receiver = { spool: storage.spool, tenantId, maxSize: settings.maxSize }
        const file = await receiveUpload(req, receiver, (upload) =>
          keepUpload(storage, tenantId, upload, (action) => req.transact(action), config.fileQuota),
        )
        return reply.created(`/files/${file.key}`, file)
      },
    )
  })

  app.get(
    '/files/:tenantId/:filename',
    {
      config: { access: 'signed-in', audited: true },
      preValidation: takeLiterally,
      errorHandler: withdraw,
      schema: {
        operationId: 'downloadFile',
        summary: 'Download a file',
        description:
          'Images and PDF are sent for display, all other types as an attachment. Ranges and conditional requests are supported.',
        params: FileParams,
        takes: ['Range', 'If-Range', 'If-None-Match', 'If-Match', 'If-Modified-Since', 'If-Unmodified-Since'],
        sends: ['ETag', 'Last-Modified', 'Accept-Ranges', 'Content-Disposition'],
        refuses: [fileFaults.changed, fileFaults.noSuchRange],
        response: { 200: { description: 'The bytes', content: { '*/*': { schema: FileBytes } } } },
      },
    },
    async (req, reply) => {
      const file = await findAddressed(req)
      return deliverFile(req, reply, storage, file, 'private, no-cache')
    },
  )

  await app.register(publicFileRoutes, { storage, maxAge: config.publicMaxAge })

  app.delete(
    '/files/:tenantId/:filename',
    {
      config: { access: 'file:upload' },
      preValidation: takeLiterally,
      schema: {
        operationId: 'deleteFile',
        summary: 'Delete a file',
        description:
          'Only by the person who uploaded it, or with `file:manage`. A file that an article or the portal shows is not deleted; the refusal names what shows it.',
        params: FileParams,
        response: { 200: z.null() },
        refuses: [fileFaults.notYours, fileFaults.inUse],
      },
    },
    async (req) => {
      const { tenantId, filename } = await findAddressed(req)
      await req.transactAs(req.user, tenantId, (tx) => deleteFile(tx, storage, filename), req.auditSubject)
      return null
    },
  )
}

type Addressed = FastifyRequest<{ Params: z.output<typeof FileParams> }>

/**
 * The file that the path names, if the person may see it: in their own tenant or, for a system administrator, in any,
 * which the audit then names. @throws NOT_FOUND
 */
async function findAddressed(req: Addressed): Promise<StoredFile> {
  const { tenantId, filename } = req.params
  const isForeign = tenantId !== req.tenant!.id
  if (!isStoredName(filename) || (isForeign && !req.user.isSystemAdministrator)) throw fileFaults.notFound()
  const scope = isForeign ? openScope(req.server.database, tenantId) : req.scope
  const visible = isForeign
    ? seesEverything('a system administrator reads the files of every tenant')
    : filesSeenBy(req.user)
  if (isForeign && (await req.server.tenancies.find(tenantId)))
    req.auditSubject = { tenantId, userId: req.user.id, username: req.user.username }
  return getFile(scope, { filename, ...visible })
}
