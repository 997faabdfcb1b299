import { existsSync } from 'node:fs'
import { join, relative } from 'node:path'
import { expect } from 'vitest'
import { readDocument } from '../../src/http/docs/document.ts'
import { documentsOf, folderOf, loadDomains } from '../../src/load-domains.ts'
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

const documents = documentsOf(domains)
/** The documents of domains from outside that are not written yet, by their paths. The service does not serve without them. */
export const unwrittenDocuments = documents.filter((part) => !existsSync(part)).map((part) => part.pathname)
/** The document as the service of this run serves it, as far as it is written. */
export const servedDocument = await readDocument(documents.filter((part) => existsSync(part)))

const CONTRACT = join(import.meta.dirname, '../contract')

/** What was reviewed, and what a difference means. */
interface Golden {
  /** its name: `routes.txt` */
  file: string
  /** the subject of the sentence that a failure says: `the access or the key of a route has changed` */
  means: string
  /** the command that renews it, if it is not the one of the contract tests */
  renew?: string
}

/**
 * Compares with golden files: the part of the service with that of `test/contract`, and of each domain from outside its own with that in
 * its folder. A run that walks only what DOMAINS adds leaves the first out.
 * @param partOf the text for a domain from outside, or of the service itself
 */
export async function expectGolden(golden: Golden, partOf: (domain: string | undefined) => string): Promise<void> {
  if (process.env.WALKED !== 'outside') await expectReviewed(golden, partOf(undefined))
  for (const { name, folder } of outside)
    await expectReviewed({ ...golden, renew: 'the same run with -u' }, partOf(name), join(folder, 'test/golden'))
}

/** Compares a text with one golden file. */
export async function expectReviewed(
  { file, means, renew = 'npm test -- --project quick -u' }: Golden,
  text: string,
  folder = CONTRACT,
): Promise<void> {
  const path = join(folder, file)
  const sentence = `${means}: if ${relative(process.cwd(), path)} is to change, renew it by ${renew} and review the difference`
  await expect(text, sentence).toMatchFileSnapshot(path)
}
