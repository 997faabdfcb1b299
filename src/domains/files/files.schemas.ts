import { arrayQuery, declaredWords, IdInPath, idInPathOf, idOf, sentence, view, z } from '#atrium'
import { fileResources, resourceOfType } from './file-resources.ts'

/** A file's address. The rules check the name: an impossible one is missing, not malformed. */
export const FileParams = z.object({
  tenantId: IdInPath,
  filename: z.string().meta({ examples: ['5f2b6c1d9e8a47300c4d5e6f7a8b9c0d.pdf'] }),
})

/** The only part of an upload, for the API document: the body is a stream, which Zod does not read. */
export const FileUpload = z.any().meta({
  type: 'object',
  required: ['file'],
  properties: { file: { type: 'string', format: 'binary', description: 'The file' } },
})

export const FileBytes = z.any().meta({ type: 'string', format: 'binary' })

const EXAMPLE = {
  size: 20480,
  contentType: 'application/pdf',
  key: '1/5f2b6c1d9e8a47300c4d5e6f7a8b9c0d.pdf',
  originalName: 'plan.pdf',
  sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  url: '/api/v1/files/1/5f2b6c1d9e8a47300c4d5e6f7a8b9c0d.pdf',
}

export const FileView = z
  .object({
    key: view.text.describe('{tenantId}/{filename}'),
    originalName: view.text,
    contentType: view.text,
    size: z.number().int().describe('Bytes'),
    sha256: view.text.describe('Hexadecimal'),
    url: view.text.describe(
      'The address for download and deletion; files that published content names are public under `/public/files`',
    ),
    createdAt: view.instant,
  })
  .meta({ id: 'StoredFile', examples: [EXAMPLE] })
export type FileView = z.output<typeof FileView>

/** The kinds of things that domains let files belong to. */
const FileResourceType = z
  .string()
  .refine((type) => resourceOfType(type) !== undefined, sentence('must be a kind of thing that files belong to'))
  .meta(declaredWords(() => fileResources.all().map(({ type }) => type), 'FileResourceType'))

/** The thing that a file is to belong to; null, or null in both fields, for none. */
export const ResourceOfFile = z
  .object({ resourceType: FileResourceType.nullable(), resourceId: idOf('tasks').nullable() })
  .refine(({ resourceType, resourceId }) => (resourceType === null) === (resourceId === null), {
    path: ['resourceId'],
    error: sentence('must be given together with the other one, or not at all'),
  })
  .meta({ id: 'ResourceOfFile', examples: [{ resourceType: 'task', resourceId: 117 }] })
  .nullable()
export interface Resource {
  resourceType: string
  resourceId: number
}

export const FileQuery = arrayQuery({
  resourceType: FileResourceType.optional().describe('Only files that belong to such things'),
  resourceId: idInPathOf('tasks').optional().describe('Only files of this one; needs `resourceType`'),
}).refine(({ resourceType, resourceId }) => resourceType !== undefined || resourceId === undefined, {
  path: ['resourceType'],
  error: sentence('is required'),
})

export const AttachedFile = FileView.extend({
  uploaderId: view.id,
  resourceType: FileResourceType.nullable().describe('What it belongs to, if anything: who sees that sees the file'),
  resourceId: view.maybeId,
}).meta({ id: 'AttachedFile', examples: [{ ...EXAMPLE, resourceType: 'task', resourceId: 117 }] })
export type AttachedFile = z.output<typeof AttachedFile>
