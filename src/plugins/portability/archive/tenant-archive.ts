import { z } from '#atrium'

/**
 * An archive of a tenant is a tar that any tar can read:
 *
 * files/<name>             the bytes of each file
 * tables/<table>.ndjson    the rows of each table of tenants: one JSON object a line, named as in the database
 * shared/<table>.ndjson    what all tenants share and rows refer to: permissions, menus
 * manifest.json            the tenant, the version, what was kept back, and the SHA-256 of every entry before it
 * manifest.json.sha256     last: the SHA-256 of manifest.json, as sha256sum writes it
 *
 * An archive without its last entry is cut off.
 */
export const FORMAT = 1
export const MANIFEST = 'manifest.json'
export const MANIFEST_SUM = 'manifest.json.sha256'

export const fileEntry = (filename: string) => `files/${filename}`
export const rowsEntry = ({ name, ofTenants }: { name: string; ofTenants: boolean }) =>
  `${ofTenants ? 'tables' : 'shared'}/${name}.ndjson`
export const sumLine = (sum: string) => `${sum}  ${MANIFEST}\n`

const Count = z.int().min(0)
export const TenantManifest = z.object({
  format: z.literal(FORMAT),
  /** its row in the directory of tenants */
  tenant: z.looseObject({ id: Count, code: z.string(), name: z.string() }),
  createdAt: z.string(),
  /** of the service that wrote it */
  version: z.string(),
  migrations: z.array(z.object({ name: z.string(), checksum: z.string() })),
  /** rows, by table */
  rows: z.record(z.string(), Count),
  /** by table: columns that are null, rows that are left out */
  withheld: z.record(z.string(), z.unknown()),
  /** files that were deleted while the export ran, and files whose bytes are missing or damaged */
  files: z.object({ deleted: z.array(z.string()), damaged: z.array(z.string()) }),
  entries: z.array(z.object({ name: z.string(), size: Count, sha256: z.string().regex(/^[0-9a-f]{64}$/) })),
})
export type TenantManifest = z.output<typeof TenantManifest>
