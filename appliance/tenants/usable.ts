import { isStoredName } from '#atrium/files'
import { isUsableHash } from '#atrium/people'
import { fitsSection } from '#atrium/portal'
import { BrokenArchive } from '../../src/data/archive/tar.ts'
import { TimeZone } from '../../src/kernel/zod.ts'

type Row = Record<string, any>
const isTimeZone = (value: unknown) => TimeZone.safeParse(value).success

/** What the service computes with, or makes a path of, and no constraint of the database checks. */
const USABLE: Record<string, Record<string, (value: any, row: Row) => boolean>> = {
  tenants: { time_zone: isTimeZone },
  users: { password_hash: isUsableHash, time_zone: (zone) => zone === null || isTimeZone(zone) },
  substitutes: { time_zone: isTimeZone },
  files: { filename: (name) => isStoredName(String(name)) },
  portal_sections: { content: (content, { section }) => fitsSection(section, content) },
}

/** The lines of a table as they are. @throws BrokenArchive at the first row that the service could not use */
export async function* usable(table: string, lines: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  for await (const chunk of lines) {
    if (USABLE[table])
      for (const line of chunk.toString().split('\n').filter(Boolean)) assertUsable(table, Object(fromJson(line)))
    yield chunk
  }
}

/** @throws BrokenArchive if the service could not use the row */
export function assertUsable(table: string, row: Row): void {
  for (const [column, isUsable] of Object.entries(USABLE[table]!))
    if (!isUsable(row[column], row)) throw new BrokenArchive(`${table} has a ${column} that cannot be used here`)
}

function fromJson(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    throw new BrokenArchive('a row is not JSON')
  }
}
