import { IdInPath, view, z } from '#atrium'

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
  .meta({
    id: 'StoredFile',
    examples: [
      {
        size: 20480,
        contentType: 'application/pdf',
        key: '1/5f2b6c1d9e8a47300c4d5e6f7a8b9c0d.pdf',
        originalName: 'plan.pdf',
        sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
        url: '/api/v1/files/1/5f2b6c1d9e8a47300c4d5e6f7a8b9c0d.pdf',
      },
    ],
  })
export type FileView = z.output<typeof FileView>
