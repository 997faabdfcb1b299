import { z } from 'zod'
import type { DumpedFile, DumpedTable } from './snapshot.ts'

/**
 * A backup is a tar archive that any tar can read:
 *
 * backup.json              the manifest, first
 * files/<tenant>/<name>    the bytes of each file, if they are included
 * tables/<table>/<n>.copy  the rows, in the text format of COPY; the parts of a table are consecutive
 * end.json                 the SHA-256 of every entry before it, the row count of each table, the sequences, the files
 * end.json.sha256          last: the SHA-256 of end.json, as sha256sum writes it
 *
 * An archive without its end is truncated.
 */
export const FORMAT = 1
export const MANIFEST = 'backup.json'
export const CLOSING = 'end.json'
export const CLOSING_SUM = 'end.json.sha256'

/** The text of the last entry. */
export const sumLine = (sum: string) => `${sum}  ${CLOSING}\n`

const Sum = z.string().regex(/^[0-9a-f]{64}$/)
const Count = z.int().min(0)

export const Manifest = z.object({
  format: z.int(),
  takenAt: z.string(),
  database: z.string(),
  serverVersion: z.string(),
  migrations: z.array(z.object({ name: z.string(), checksum: z.string() })),
  tables: z.array(z.object({ name: z.string(), columns: z.array(z.string()).min(1), ofTenants: z.boolean() })),
  /** `bytes`: they are in the archive; `sums`: they stay where they are, and only their sums are included */
  files: z.enum(['bytes', 'sums']),
})
export type Manifest = z.infer<typeof Manifest>

export const Closing = z.object({
  /** by the name of the entry */
  sums: z.record(z.string(), Sum),
  /** by the name of the table */
  rows: z.record(z.string(), Count),
  sequences: z.record(z.string(), z.string().regex(/^\d{1,19}$/)),
  files: z.array(z.object({ tenantId: Count, filename: z.string(), size: Count, sha256: z.string() })),
})
export type Closing = z.infer<typeof Closing>

export const fileEntry = ({ tenantId, filename }: Pick<DumpedFile, 'tenantId' | 'filename'>) =>
  `files/${tenantId}/${filename}`

export const rowsEntry = ({ name }: Pick<DumpedTable, 'name'>, part: number) =>
  `tables/${name}/${String(part).padStart(8, '0')}.copy`

/** The table whose rows an entry has; undefined if it has no rows. */
export const tableOf = (entry: string) => /^tables\/([^/]+)\//.exec(entry)?.[1]
