import type pg from 'pg'
import type { TenantId } from '../../kernel/actor.ts'
import { literal } from '../sql/quoted.ts'

/** A file as its row describes it. */
export interface StoredBytes {
  tenantId: TenantId
  filename: string
  size: number
  sha256: string
}

const BATCH = 5000

/** Every file of a tenant that has a row, by name. */
export async function* listFiles(client: pg.Client, tenantId: TenantId): AsyncGenerator<StoredBytes> {
  for (let after = ''; ; ) {
    const { rows } = await client.query<StoredBytes>(
      `select tenant_id::float8 as "tenantId", filename, size::float8 as size, sha256 from files
        where tenant_id = $1 and filename > $2 order by filename limit ${BATCH}`,
      [tenantId, after],
    )
    yield* rows
    if (rows.length < BATCH) return
    after = rows.at(-1)!.filename
  }
}

export async function hasFile(client: pg.Client, { tenantId, filename }: StoredBytes): Promise<boolean> {
  const found = await client.query('select from files where tenant_id = $1 and filename = $2', [tenantId, filename])
  return found.rowCount === 1
}

/** The condition that leaves files out. */
export function leaveOut(files: readonly StoredBytes[]): string {
  if (files.length === 0) return 'true'
  const pairs = files.map(({ tenantId, filename }) => `(${Number(tenantId)}, ${literal(filename)})`)
  return `(tenant_id, filename) not in (${pairs.join(', ')})`
}

/**
 * Each file of a snapshot with its bytes; without, if they are missing although its row is still there. A file that was
 * deleted after the snapshot goes into `gone`: its row has to be left out as well, so that what is read back is consistent.
 */
export async function* withBytes<Found>(
  snapshot: { files(): AsyncIterable<StoredBytes>; isThere(file: StoredBytes): Promise<boolean> },
  read: (file: StoredBytes) => Promise<Found | undefined>,
  gone: StoredBytes[],
): AsyncGenerator<{ file: StoredBytes; found: Found | undefined }> {
  for await (const file of snapshot.files()) {
    const found = await read(file)
    if (found === undefined && !(await snapshot.isThere(file))) gone.push(file)
    else yield { file, found }
  }
}
