import { BrokenArchive, damaged, entriesOf, type Progress, Refusal, sha256, summed } from '#atrium'
import { FORMAT, MANIFEST, MANIFEST_SUM, sumLine, TenantManifest } from './tenant-archive.ts'

/**
 * Reads the whole archive and compares every sum, before anything is written.
 * @throws Refusal that names the problem
 */
export async function verifyTenantArchive(path: string, progress: Progress): Promise<TenantManifest> {
  const found: { name: string; size: number; sha256: string }[] = []
  const texts = new Map<string, Buffer>()
  let bytes = 0
  try {
    for await (const { name, size, body } of entriesOf(path)) {
      const isText = name === MANIFEST || name === MANIFEST_SUM
      if (texts.has(MANIFEST_SUM) || (texts.has(MANIFEST) && !isText))
        throw damaged(path, `${name} comes after its end`)
      let sum = ''
      const kept: Buffer[] = []
      for await (const chunk of summed(body, (it) => (sum = it))) {
        bytes += chunk.length
        if (isText) kept.push(chunk)
      }
      if (isText) texts.set(name, Buffer.concat(kept))
      else found.push({ name, size, sha256: sum })
      progress('verified', found.length, bytes)
    }
  } catch (error) {
    throw error instanceof BrokenArchive ? damaged(path, error.message) : error
  }
  const [text, sum] = [texts.get(MANIFEST), texts.get(MANIFEST_SUM)]
  if (!text) throw new Refusal(`${path} is not the archive of a tenant, or it is cut off.`)
  if (sum?.toString() !== sumLine(sha256(text))) throw damaged(path, 'its end is missing or changed')
  const manifest = parse(path, text)
  const expected = new Map(manifest.entries.map((entry) => [entry.name, entry]))
  for (const { name, size, sha256 } of found) {
    const entry = expected.get(name)
    if (entry?.size !== size || entry.sha256 !== sha256) throw damaged(path, `${name} differs from what was written`)
    expected.delete(name)
  }
  for (const name of expected.keys()) throw damaged(path, `${name} is missing`)
  return manifest
}

/** An archive of a later format may lack what this version looks for. */
function parse(path: string, text: Buffer): TenantManifest {
  const [, format] = /"format":\s*(\d+)/.exec(text.toString()) ?? []
  if (Number(format) > FORMAT)
    throw new Refusal(`${path} was made by a newer version (format ${format}); import it with that version.`)
  const manifest = TenantManifest.safeParse(JSON.parse(text.toString()))
  if (!manifest.success) throw damaged(path, `${MANIFEST} differs from what was written`)
  return manifest.data
}

/** @throws Refusal if the tables here are not those of the archive */
export function assertSameVersion(
  { migrations, version }: TenantManifest,
  here: readonly { name: string; checksum: string }[],
): void {
  const applied = new Set(here.map(({ name }) => name))
  const theirs = new Set(migrations.map(({ name }) => name))
  const other = [...theirs.symmetricDifference(applied)]
  if (other.length > 0)
    throw new Refusal(
      `The archive was made by version ${version} with other migrations or domains than here (${other.slice(0, 3).join(', ')}). Bring both installations to one version, and export again.`,
    )
}
