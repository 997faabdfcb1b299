import {
  cold,
  columnsOf,
  type From,
  find,
  isThere,
  list,
  lock,
  lockAll,
  only,
  type PartOf,
  paginate,
  paginateOrSearch,
  type Reading,
  type RowOf,
  type SearchedRange,
  searchedIn,
  seesEverything,
  sql,
  type Usage,
  write,
} from '#atrium'
import { type FileResource, fileResources } from './file-resources.ts'
import { fileFaults, type SeesFiles, seenOfKind } from './files.rules.ts'

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

/** The thing of a file, in a query over files; or one that is given, which is then looked up once. */
const ITS_THING = { type: sql<string>`files.resource_type`, id: sql<number>`files.resource_id` }

/** For each kind: whether the thing is of that kind, and is among the `rows` of it. */
const isAmong = (
  rowsOf: (resource: FileResource<any>) => Parameters<typeof isThere>[0] | undefined,
  { type, id } = ITS_THING,
) => {
  const kinds = fileResources.all().flatMap((resource) => {
    const rows = rowsOf(resource)?.where(sql<boolean>`${sql.ref(resource.id)} = ${id}`)
    return rows ? sql<boolean>`(${type} = ${sql.lit(resource.type)} and ${isThere(rows)})` : []
  })
  return sql<boolean>`(${sql.join([...kinds, sql`false`], sql` or `)})`
}

const isSeen = (from: From, p: SeesFiles, thing = ITS_THING) =>
  sql<boolean>`(files.uploader_id = ${p.readerId}
    or ${p.loose === undefined ? sql`false` : sql`files.resource_id is null`}
    or ${isAmong(({ type, visible }) => {
      const sees = seenOfKind(p, type)
      return sees && visible(from, sees)
    }, thing)})`

/** Whether the thing that the file belongs to exists. */
const isHeld = (from: From) =>
  isAmong(({ visible }) => visible(from, seesEverything('who sees the thing does not matter')))

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
      sql<boolean>`(files.goes_public and ${isAmong(({ visibleToPublic }) => visibleToPublic?.(from))})`.as('isPublic'),
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

const belonging = (from: From) => from('files').select(columns).where('files.resourceId', 'is not', null)
const ownLoose = (from: From, p: SeesFiles) =>
  from('files').select(columns).where('files.uploaderId', '=', p.readerId!).where('files.resourceId', 'is', null)

/** The newest of two parts, each read in the order of its index, and only as far as the list is. */
const newestOf = (parts: readonly ReturnType<typeof belonging>[], { most, before, after }: Reading) => {
  const read = parts.map((part) => {
    const below = before === undefined ? part : part.where('files.id', '<', before)
    const between = after === undefined ? below : below.where('files.id', '>', after)
    return sql`(${between.orderBy('files.id', 'desc').limit(most!)})`
  })
  return cold.selectFrom(sql<RowOf<'files'>>`(${sql.join(read, sql` union all `)})`.as('files')).selectAll('files')
}

/** The files among which a reader's are. */
const candidates = (from: From, p: SeesFiles & Reading & { resourceType?: string }) => {
  if (p.resourceType !== undefined) return belonging(from).where('files.resourceType', '=', p.resourceType)
  const seesLoose = p.readerId === undefined || p.loose !== undefined
  return seesLoose ? from('files').select(columns) : newestOf([ownLoose(from, p), belonging(from)], p)
}

/** No index leads to the things that one reader sees, so their files are searched. */
export const listFiles = paginateOrSearch(
  candidates,
  (found, p: SeesFiles & { resourceType?: string }, from) =>
    found.$if(p.readerId !== undefined, (query) => query.where(isSeen(from, p))),
  'files',
  { filters: ['readerId', 'resourceType'] },
)

/** The files of one thing: a reader sees them all, or, apart from their own, none. */
export const listFilesOf = paginate(
  (from, p: SeesFiles & { resourceType: string; resourceId: number }) =>
    belonging(from)
      .where('files.resourceType', '=', p.resourceType)
      .where('files.resourceId', '=', p.resourceId)
      .$if(p.readerId !== undefined, (query) =>
        query.where(isSeen(from, p, { type: sql`${p.resourceType}::text`, id: sql`${p.resourceId}::bigint` })),
      ),
  'files.id',
)

/** The size of all files of the tenant. */
export const sumSizes = find((from, _: object) =>
  from('files').select(sql<number>`coalesce(sum(files.size), 0)::bigint`.as('bytes')),
)

/** The bytes of all files. */
export const bytesUsed: Usage = { of: 'fileBytes', count: async (scope) => (await sumSizes(scope, {}))!.bytes }

export const insertFile = write(({ insert }, p: NewFile) => insert('files', p))

export const removeFile = write(
  ({ remove }, p: { filename: string }) => remove('files').where('files.filename', '=', p.filename),
  { conflicts: { users_avatar_is_kept: fileFaults.inUse } },
)

/** The files of some things of a kind: waits for commands that are about to name one. */
export const lockFilesOf = lockAll((from, p: { resourceType: string; ids: readonly number[] }) =>
  from('files')
    .select(['files.id', 'files.filename'])
    .where('files.resourceType', '=', p.resourceType)
    .where('files.resourceId', '=', sql<number>`any(${p.ids}::bigint[])`)
    .orderBy('files.id')
    .forUpdate(),
)

/** The next names after `after`, in the database's order, and their age in ms by its clock. */
export const listNames = list((from, p: { after: string; limit: number }) =>
  from('files')
    .select(['files.filename', sql<number>`date_part('epoch', clock_timestamp() - files.created_at) * 1000`.as('age')])
    .where('files.filename', '>', p.after)
    .orderBy('files.filename')
    .limit(p.limit),
)

/** The files that a person finds, by the names that people know them by. */
export const listSearchedFiles = list((from, p: SeesFiles & SearchedRange) =>
  searchedIn(
    from('files').$if(p.readerId !== undefined, (query) => query.where(isSeen(from, p))),
    'files',
    {
      title: sql`files.original_name`,
      text: sql`''`,
      key: sql`files.tenant_id || '/' || files.filename`,
      updatedAt: 'createdAt',
    },
    p,
  ),
)
