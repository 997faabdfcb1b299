import { END, type FileBytes, packEntry, type StoredBytes, sha256, summed, withBytes } from '#atrium'
import { FORMAT, fileEntry, MANIFEST, MANIFEST_SUM, rowsEntry, sumLine, type TenantManifest } from './tenant-archive.ts'
import type { TenantRows } from './tenant-rows.ts'
import { allWithheld } from './withheld.ts'

/**
 * The archive of a tenant, as a stream: as fast as it is read, in constant memory. Files come first, because the row of a
 * file that was deleted meanwhile is left out.
 * @param version of the service
 * @returns the manifest
 */
export async function* writeTenant(
  rows: TenantRows,
  files: Pick<FileBytes, 'read'>,
  version: string,
): AsyncGenerator<Buffer, TenantManifest> {
  const manifest: TenantManifest = {
    format: FORMAT,
    tenant: rows.tenant,
    createdAt: rows.takenAt.toISOString(),
    version,
    migrations: rows.migrations,
    rows: {},
    withheld: allWithheld(rows.tables),
    files: { deleted: [], damaged: [] },
    entries: [],
  }
  async function* add(name: string, size: number, body: AsyncIterable<Uint8Array> | Iterable<Uint8Array>) {
    let sum = ''
    yield* packEntry(
      name,
      size,
      summed(body, (it) => (sum = it)),
    )
    manifest.entries.push({ name, size, sha256: sum })
    return sum
  }

  const gone: StoredBytes[] = []
  for await (const { file, found } of withBytes(rows, (it) => files.read(it.tenantId, it.filename), gone)) {
    const sum = found && (yield* add(fileEntry(file.filename), found.size, found.body))
    if (sum !== file.sha256) manifest.files.damaged.push(file.filename)
  }
  manifest.files.deleted = gone.map(({ filename }) => filename)
  for (const table of [...rows.shared, ...rows.tables]) {
    const lines = await rows.lines(table, gone)
    yield* add(rowsEntry(table), lines.size, lines.body)
    manifest.rows[table.name] = lines.rows
  }
  // Nothing more is read, so anyone who has received the end of the archive can begin another one.
  await rows.close()
  const text = Buffer.from(`${JSON.stringify(manifest, null, 1)}\n`)
  yield* packEntry(MANIFEST, text.length, [text])
  const sum = Buffer.from(sumLine(sha256(text)))
  yield* packEntry(MANIFEST_SUM, sum.length, [sum])
  yield END
  return manifest
}
