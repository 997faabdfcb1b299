import {
  columnsOf,
  type From,
  find,
  isThere,
  list,
  lock,
  lockAll,
  matches,
  only,
  type PartOf,
  paginateOrSearch,
  type RowOf,
  seesEverything,
  sql,
  write,
} from '#atrium'
import { type FileResource, fileResources } from './file-resources.ts'
import { fileFaults, type SeesFiles, seenOfKind } from './files.rules.ts'

/** A file's row. */
export type StoredFile = RowOf<'files'> & { tenantId: number }
type NewFile = RowOf<'files', 'resourceType' | 'resourceId' | 'goesPublic'>

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
  'resourceType',
  'resourceId',
  'goesPublic',
])

/** For each kind: whether the file belongs to such a thing, and `rows` of the kind have it. */
const belongsTo = (rowsOf: (resource: FileResource<any>) => Parameters<typeof isThere>[0] | undefined) => {
  const kinds = fileResources.all().flatMap((resource) => {
    const rows = rowsOf(resource)?.where(matches(resource.id, 'files.resourceId'))
    return rows ? sql<boolean>`(files.resource_type = ${sql.lit(resource.type)} and ${isThere(rows)})` : []
  })
  return sql<boolean>`(${sql.join([...kinds, sql`false`], sql` or `)})`
}

const isSeen = (from: From, p: SeesFiles) =>
  sql<boolean>`(files.uploader_id = ${p.readerId}
    or ${p.loose === undefined ? sql`false` : sql`files.resource_id is null`}
    or ${belongsTo(({ type, visible }) => {
      const sees = seenOfKind(p, type)
      return sees && visible(from, sees)
    })})`

/** Whether the thing that the file belongs to exists. */
const isHeld = (from: From) =>
  belongsTo(({ visible }) => visible(from, seesEverything('who sees the thing does not matter')))

export const getFile = find((from, p: SeesFiles & { filename: string }) =>
  from('files')
    .select(columns)
    .where('files.filename', '=', p.filename)
    .$if(p.readerId !== undefined, (query) => query.where(isSeen(from, p))),
).or(fileFaults.notFound)

/** A file, and whether it belongs to something that the public sees. */
export const getPublicFile = find((from, p: { filename: string }) =>
  from('files')
    .select(columns)
    .select(
      sql<boolean>`(files.goes_public and ${belongsTo(({ visibleToPublic }) => visibleToPublic?.(from))})`.as(
        'isPublic',
      ),
    )
    .where('files.filename', '=', p.filename),
).or(fileFaults.notFound)

/** The thing that a file belongs to, if it exists. */
export const findAttachment = find((from, p: { filename: string }) =>
  from('files')
    .select(['files.resourceType', 'files.resourceId'])
    .where('files.filename', '=', p.filename)
    .where(isHeld(from))
    .$narrowType<{ resourceType: string; resourceId: number }>(),
)

/** For attaching: waits for a deletion, and lets commands that publish the file go on. */
export const lockToAttach = lock((from, p: { filename: string }) =>
  from('files')
    .select(columns)
    .select(isHeld(from).as('isHeld'))
    .where('files.filename', '=', p.filename)
    .forNoKeyUpdate('files'),
).or(fileFaults.notFound)

export const saveResource = write(
  ({ update }, p: PartOf<'files', 'id' | 'resourceType' | 'resourceId' | 'goesPublic'>) =>
    update('files')
      .set(only(p, ['resourceType', 'resourceId', 'goesPublic']))
      .where('files.id', '=', p.id),
)

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

/**
 * No index leads to what one reader sees, so that is a search. The files of one thing have an index.
 */
export const listFiles = paginateOrSearch(
  (from, p: { resourceType?: string; resourceId?: number }) =>
    from('files')
      .select(columns)
      .$if(p.resourceType !== undefined, (query) => query.where('files.resourceType', '=', p.resourceType!))
      .$if(p.resourceId !== undefined, (query) => query.where('files.resourceId', '=', p.resourceId!)),
  (found, p: SeesFiles & { resourceType?: string; resourceId?: number }, from) =>
    found.$if(p.readerId !== undefined, (query) => query.where(isSeen(from, p))),
  'files',
  { filters: ['readerId', 'resourceType'] },
)

/** The size of all files of the tenant. */
export const sumSizes = find((from, _: object) =>
  from('files').select(sql<number>`coalesce(sum(files.size), 0)::bigint`.as('bytes')),
)

export const insertFile = write(({ insert }, p: NewFile) => insert('files', p))

export const removeFile = write(
  ({ remove }, p: { filename: string }) => remove('files').where('files.filename', '=', p.filename),
  { conflicts: { users_avatar_is_kept: fileFaults.inUse } },
)

/** The next names after `after`, in the database's order, and their age in ms by its clock. */
export const listNames = list((from, p: { after: string; limit: number }) =>
  from('files')
    .select(['files.filename', sql<number>`date_part('epoch', clock_timestamp() - files.created_at) * 1000`.as('age')])
    .where('files.filename', '>', p.after)
    .orderBy('files.filename')
    .limit(p.limit),
)
