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

export interface TenantManifest {
  format: number
  /** its row in the directory of tenants */
  tenant: { id: number; code: string; name: string } & Record<string, unknown>
  createdAt: string
  /** of the service that wrote it */
  version: string
  migrations: { name: string; checksum: string }[]
  /** rows, by table */
  rows: Record<string, number>
  /** by table: columns that are null, rows that are left out */
  withheld: Record<string, unknown>
  /** files that were deleted while the export ran, and files whose bytes are missing or damaged */
  files: { deleted: string[]; damaged: string[] }
  entries: { name: string; size: number; sha256: string }[]
}
