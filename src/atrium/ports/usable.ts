import { BrokenArchive } from '../../data/archive/tar.ts'

type Row = Record<string, any>

/**
 * What the service computes with, or makes a path of, and no constraint of the database checks: by table and column,
 * whether a value of an archive can be used here.
 */
export type Usable = Readonly<Record<string, Readonly<Record<string, (value: any, row: Row) => boolean>>>>

const USABLE = new Map<string, Usable[string]>()

/** Registers what a domain can use. Tables and columns have the names that they have in the database. */
export function declareUsable(usable: Usable): void {
  for (const [table, columns] of Object.entries(usable)) USABLE.set(table, { ...USABLE.get(table), ...columns })
}

/** The lines of a table as they are. @throws BrokenArchive at the first row that the service could not use */
export async function* usable(table: string, lines: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  for await (const chunk of lines) {
    if (USABLE.has(table))
      for (const line of chunk.toString().split('\n').filter(Boolean)) assertUsable(table, Object(fromJson(line)))
    yield chunk
  }
}

/** @throws BrokenArchive if the service could not use the row */
export function assertUsable(table: string, row: Row): void {
  for (const [column, isUsable] of Object.entries(USABLE.get(table) ?? {}))
    if (!isUsable(row[column], row)) throw new BrokenArchive(`${table} has a ${column} that cannot be used here`)
}

function fromJson(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    throw new BrokenArchive('a row is not JSON')
  }
}
