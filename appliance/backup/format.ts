import type { DumpedFile, DumpedTable, Snapshot } from './snapshot.ts'

/**
 * What a backup is: a tar archive, which any tar reads, of
 *
 *   backup.json              the manifest, first
 *   files/<tenant>/<name>    the bytes of each file, where they are part of it
 *   tables/<table>/<n>.copy  the rows, in the text format of COPY; the parts of a table follow each other
 *   end.json                 last: the SHA-256 of every entry before it, how many rows each table has, the sequences, the files
 *
 * An archive without its end was cut off.
 */
export const FORMAT = 1
export const MANIFEST = 'backup.json'
export const CLOSING = 'end.json'

export interface Manifest extends Pick<Snapshot, 'database' | 'serverVersion' | 'migrations' | 'tables'> {
  format: number
  takenAt: string
  /** `bytes`: they are in the archive; `sums`: they stay where they are, and only their sums are here */
  files: 'bytes' | 'sums'
}

export interface Closing {
  /** by the name of the entry */
  sums: Record<string, string>
  /** by the name of the table */
  rows: Record<string, number>
  sequences: Record<string, string>
  files: DumpedFile[]
}

export const fileEntry = ({ tenantId, filename }: Pick<DumpedFile, 'tenantId' | 'filename'>) =>
  `files/${tenantId}/${filename}`

export const rowsEntry = ({ name }: DumpedTable, part: number) => `tables/${name}/${String(part).padStart(8, '0')}.copy`

/** What goes on, for whoever waits at a terminal. */
export type Progress = (what: string, count: number, bytes: number) => void
