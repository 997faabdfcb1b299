import { z } from 'zod'
import { IdInPath, view } from '../../kernel/zod.ts'

/** A file's address. Whether the name can be one is the rule's matter: what cannot exist is missing, not malformed. */
export const FileParams = z.object({ tenantId: IdInPath, filename: z.string() })

/** The one part of an upload, for the document: the body is read as a stream, not by Zod. */
export const FileUpload = z.any().meta({
  type: 'object',
  required: ['file'],
  properties: { file: { type: 'string', format: 'binary', description: 'The file' } },
})

export const FileBytes = z.any().meta({ type: 'string', format: 'binary' })

export const FileView = z
  .object({
    key: view.text.describe('{tenantId}/{filename}'),
    originalName: view.text,
    contentType: view.text,
    size: z.number().int().describe('Bytes'),
    sha256: view.text.describe('Hexadecimal'),
    url: view.text.describe('Where it is downloaded and deleted'),
    createdAt: view.instant,
  })
  .meta({ id: 'StoredFile' })
export type FileView = z.output<typeof FileView>
