import { paginate } from '../../data/sql/paginate.ts'
import { find, list, lock, write } from '../../data/sql/verbs.ts'

/** What the table knows about a file. */
export interface StoredFile {
  id: number
  tenantId: number
  filename: string
  originalName: string
  contentType: string
  size: number
  sha256: string
  uploaderId: number
  createdAt: string
}

const columns = [
  'files.id',
  'files.tenantId',
  'files.filename',
  'files.originalName',
  'files.contentType',
  'files.size',
  'files.sha256',
  'files.uploaderId',
  'files.createdAt',
] as const

export const findFile = find((from, p: { filename: string }) =>
  from('files').select(columns).where('files.filename', '=', p.filename),
)

export const lockFile = lock((from, p: { filename: string }) =>
  from('files').select(columns).where('files.filename', '=', p.filename).forUpdate(),
)

export const listFiles = paginate((from, _: object) => from('files').select(columns), 'files.id')

export const insertFile = write(({ insert }, p: Omit<StoredFile, 'tenantId'>) => insert('files', p))

export const removeFile = write(({ remove }, p: { filename: string }) =>
  remove('files').where('files.filename', '=', p.filename),
)

/** The next names behind `after`, in the order of the database. */
export const listNames = list((from, p: { after: string; limit: number }) =>
  from('files')
    .select(['files.filename', 'files.createdAt'])
    .where('files.filename', '>', p.after)
    .orderBy('files.filename')
    .limit(p.limit),
)
