import { BrokenArchive, usable } from '#atrium'

/** The lines of a table as they are. @throws BrokenArchive at the first row that the service could not use */
export async function* withUsable(table: string, lines: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const judges = judgesOf(table)
  for await (const chunk of lines) {
    if (judges.length > 0)
      for (const line of chunk.toString().split('\n').filter(Boolean)) judge(table, judges, Object(fromJson(line)))
    yield chunk
  }
}

/** @throws BrokenArchive if the service could not use the row */
export function assertUsable(table: string, row: Record<string, unknown>): void {
  judge(table, judgesOf(table), row)
}

function judgesOf(table: string) {
  return usable.all().flatMap((tables) => Object.entries(tables[table] ?? {}))
}

function judge(table: string, judges: ReturnType<typeof judgesOf>, row: Record<string, unknown>): void {
  for (const [column, isUsable] of judges)
    if (!isUsable(row[column], row)) throw new BrokenArchive(`${table} has a ${column} that cannot be used here`)
}

function fromJson(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    throw new BrokenArchive('a row is not JSON')
  }
}
