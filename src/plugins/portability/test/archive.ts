import type { FastifyInstance } from 'fastify'
import { sha256 } from '#atrium'
import { entriesOf, packed } from '#test/archive.ts'
import type { Person } from '#test/world.ts'
import { sumLine, type TenantManifest } from '../archive/tenant-archive.ts'

/** An archive of a tenant, read into memory. */
export interface ReadArchive {
  manifest: TenantManifest
  /** in their order, by name */
  entries: Map<string, Buffer>
  rows(table: string): Record<string, any>[]
}

/** Reads an archive. @throws Error if a sum is wrong */
export async function readArchive(source: AsyncIterable<Buffer>): Promise<ReadArchive> {
  const entries = await entriesOf(source)
  const text = entries.get('manifest.json')!
  if ([...entries.keys()].at(-1) !== 'manifest.json.sha256') throw new Error('the end is missing')
  if (entries.get('manifest.json.sha256')!.toString() !== `${sha256(text)}  manifest.json\n`)
    throw new Error('the sum of the manifest is wrong')
  const manifest: TenantManifest = JSON.parse(text.toString())
  for (const { name, size, sha256: sum } of manifest.entries) {
    const bytes = entries.get(name)!
    if (bytes.length !== size || sha256(bytes) !== sum) throw new Error(`the sum of ${name} is wrong`)
  }
  return {
    manifest,
    entries,
    rows: (table) =>
      (entries.get(`tables/${table}.ndjson`) ?? entries.get(`shared/${table}.ndjson`)!)
        .toString()
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line)),
  }
}

/** The bytes of an archive with other entries, or another row of the tenant, whose sums are right. */
export async function forge(
  { manifest, entries }: ReadArchive,
  changed: Record<string, string> = {},
  tenant: object = {},
): Promise<Buffer> {
  const bodies = new Map([...entries].filter(([name]) => !name.startsWith('manifest.json')))
  for (const [name, text] of Object.entries(changed)) bodies.set(name, Buffer.from(text))
  const sums = [...bodies].map(([name, body]) => ({ name, size: body.length, sha256: sha256(body) }))
  const text = Buffer.from(
    JSON.stringify({ ...manifest, tenant: { ...manifest.tenant, ...tenant }, entries: sums }, null, 1),
  )
  bodies.set('manifest.json', text).set('manifest.json.sha256', Buffer.from(sumLine(sha256(text))))
  return packed(bodies)
}

/** Exports the tenant of a person over HTTP. */
export async function exportAs(app: FastifyInstance, person: Person, headers: Record<string, string> = {}) {
  const response = await app.inject({
    url: '/api/v1/tenant/export',
    headers: { authorization: `Bearer ${person.token}`, ...headers },
    payloadAsStream: true,
  })
  return { status: response.statusCode, headers: response.headers, stream: response.stream(), response }
}
