import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { documentsOf, folderOf, loadDomains } from '../../src/domains/load.ts'
import { readDocument } from '../../src/http/docs/document.ts'
import { offlineConfig } from '../../tools/openapi/routes.ts'

/** A domain from outside that DOMAINS names for this run. */
export interface Outside {
  name: string
  folder: string
  migrations: URL | undefined
}

const paths = offlineConfig().domains
const domains = await loadDomains(paths)

export const outside: readonly Outside[] = paths.map((path, at) => ({
  name: domains.at(at - paths.length)!.name,
  migrations: domains.at(at - paths.length)!.migrations,
  folder: folderOf(path),
}))

/** The document as the service of this run serves it; what is not written yet is missed by its own test. */
export const servedDocument = await readDocument(documentsOf(domains).filter((part) => existsSync(part)))

/**
 * Compares with golden files: the part of the service with that of `test/contract`, and of each domain from outside its own with that in
 * its folder. `vitest -u` renews them.
 * @param partOf the text for a domain from outside, or of the service itself
 */
export async function expectGolden(file: string, partOf: (domain: string | undefined) => string): Promise<void> {
  const renew = `read the difference, and renew ${file} by vitest -u`
  await expect(partOf(undefined), renew).toMatchFileSnapshot(join(import.meta.dirname, '../contract', file))
  for (const { name, folder } of outside)
    await expect(partOf(name), renew).toMatchFileSnapshot(join(folder, 'test/golden', file))
}
