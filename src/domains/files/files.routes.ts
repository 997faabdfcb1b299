import multipart from '@fastify/multipart'
import fastifyStatic from '@fastify/static'
import {
  assertAtHome,
  type DomainRoutes,
  type FastifyRequest,
  faults,
  openScope,
  pageRequestOf,
  quotaFaults,
  seesEverything,
  z,
} from '#atrium'
import { DOWNLOAD, deliverFile, takeLiterally, withdraw } from './delivery.ts'
import { fileResources } from './file-resources.ts'
import { deleteFile, keepUpload, placeFile } from './files.actions.ts'
import { attachedFileView, fileFaults, filesSeenBy, isStoredName } from './files.rules.ts'
import { AttachedFile, FileParams, FileQuery, FileUpload, FileView, ResourceOfFile } from './files.schemas.ts'
import { getFile, listFiles, listFilesOf, type StoredFile } from './files.store.ts'
import { publicFileRoutes } from './public-files.routes.ts'
import { openStorage } from './storage/open-storage.ts'
import { receiveUpload } from './uploads/upload.ts'

/** How long a file of the largest size may take to arrive. */
const UPLOAD_WITHIN_MS = 300_000

/** Files: upload as a form, download, list, delete. */
export const fileRoutes: DomainRoutes = async (app, { config }) => {
  const settings = config.files
  const uploads = { name: 'upload', most: config.uploadLimit, windowMs: 60_000 }
  const storage = await openStorage(settings)
  app.addHook('onClose', async () => storage.close())
  await app.register(fastifyStatic, { serve: false })

  app.get(
    '/files',
    {
      config: { access: 'signed-in', list: 'files' },
      schema: {
        operationId: 'listFiles',
        summary: 'List files',
        description:
          'Newest first: those that the caller uploaded, those of the tasks, requests and articles that they see, and those that belong to nothing. Callers who registered themselves (`selfRegistered`) see no others that belong to nothing, and holders of `file:manage` see all.',
        querystring: FileQuery,
        response: { 200: z.array(AttachedFile) },
      },
    },
    async (req, reply) => {
      const { resourceType, resourceId } = req.query
      const sees = filesSeenBy(req.user)
      const page = pageRequestOf(req.query)
      const files =
        resourceType && resourceId
          ? await listFilesOf(req.scope, { ...sees, resourceType, resourceId }, page)
          : await listFiles(req.scope, { ...sees, ...(resourceType && { resourceType }) }, page)
      reply.list(files)
      return files.rows.map((file) => attachedFileView(req.scope.tenantId, file))
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
          refuses: [
            fileFaults.rejected,
            fileFaults.kind,
            fileFaults.tooLarge,
            fileFaults.full,
            quotaFaults.exceeded,
            faults.notInTenant,
          ],
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
        ...DOWNLOAD,
        sends: ['ETag', 'Last-Modified', 'Accept-Ranges', 'Content-Disposition'],
        refuses: [fileFaults.changed, fileFaults.noSuchRange],
      },
    },
    async (req, reply) => {
      const file = await findAddressed(req)
      return deliverFile(req, reply, storage, file, 'private, no-cache')
    },
  )

  app.put(
    '/files/:tenantId/:filename/resource',
    {
      config: { access: 'file:upload' },
      preValidation: takeLiterally,
      schema: {
        operationId: 'attachFile',
        summary: 'Attach a file to a task, a request or an article',
        description:
          'From then on the file is seen by everybody who sees the thing, besides its uploader and holders of `file:manage`. `null` detaches it. Only its uploader may attach a file, and must see the thing. A file that an editor attaches to an article is public while the article is published.',
        params: FileParams,
        body: ResourceOfFile,
        response: { 200: AttachedFile },
        refuses: [
          fileFaults.notYoursToAttach,
          faults.notInTenant,
          ...fileResources.all().flatMap(({ refuses = [] }) => refuses),
        ],
      },
    },
    async (req) => {
      const { tenantId, filename } = await findAddressed(req)
      const { resourceType, resourceId } = req.body ?? {}
      const wanted = resourceType && resourceId ? { resourceType, resourceId } : null
      return req.transactAs(req.user, tenantId, (tx) => placeFile(tx, filename, wanted), req.auditSubject)
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
          "Only by the person who uploaded it, or with `file:manage`. A file that is in use is not deleted; the refusal names what uses it: an article, the portal, a person's picture, or what it belongs to.",
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
