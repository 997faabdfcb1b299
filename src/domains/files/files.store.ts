import { columnsOf, type From, find, list, lock, lockAll, paginate, type RowOf, sql, write } from '#atrium'
import { fileFaults, type SeesFiles } from './files.rules.ts'

/** A file's row. */
export type StoredFile = RowOf<'files'> & { tenantId: number }

const columns = columnsOf('files', [
  'id',
  'tenantId',
  'filename',
  'originalName',
  'contentType',
  'size',
  'sha256',
  'uploaderId',
  'createdAt',
])

const visibleFiles = (from: From, p: SeesFiles) =>
  from('files')
    .select(columns)
    .$if(p.uploaderId !== undefined, (query) => query.where('files.uploaderId', '=', p.uploaderId!))

export const getFile = find((from, p: SeesFiles & { filename: string }) =>
  visibleFiles(from, p).where('files.filename', '=', p.filename),
).or(fileFaults.notFound)

export const lockFile = lock((from, p: { filename: string }) =>
  from('files').select(columns).where('files.filename', '=', p.filename).forUpdate(),
).or(fileFaults.notFound)

/** Keeps files that this transaction will name from being deleted until it ends. */
export const shareLockFiles = lockAll((from, p: { filenames: string[] }) =>
  from('files')
    .select(['files.filename', 'files.contentType', 'files.uploaderId'])
    .where('files.filename', '=', sql<string>`any(${p.filenames}::text[])`)
    .forKeyShare(),
)

export const listFiles = paginate(visibleFiles, 'files.id')

/** The size of all files of the tenant. */
export const sumSizes = find((from, _: object) =>
  from('files').select(sql<number>`coalesce(sum(files.size), 0)::bigint`.as('bytes')),
)

export const insertFile = write(({ insert }, p: RowOf<'files'>) => insert('files', p))

export const removeFile = write(({ remove }, p: { filename: string }) =>
  remove('files').where('files.filename', '=', p.filename),
)

/** The next names after `after`, in the database's order, and their age in ms by its clock. */
export const listNames = list((from, p: { after: string; limit: number }) =>
  from('files')
    .select(['files.filename', sql<number>`date_part('epoch', clock_timestamp() - files.created_at) * 1000`.as('age')])
    .where('files.filename', '>', p.after)
    .orderBy('files.filename')
    .limit(p.limit),
)
