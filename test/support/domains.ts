import { existsSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { expect } from 'vitest'
import type { Domain } from '../../src/atrium/domain.ts'
import { readDocument } from '../../src/http/docs/document.ts'
import { documentsOf, folderOf, isPlugin, loadDomains } from '../../src/load-domains.ts'
import { offlineConfig } from '../../tools/openapi/routes.ts'

/** A domain that lies in a folder of its own with all that is known of it: a plug-in, or one from outside. */
export interface Apart {
  name: string
  folder: string
  migrations: URL | undefined
}

const config = offlineConfig()
/** The domains of the service of this run. */
export const domains = await loadDomains(config)
const paths = config.domains

/** Those that DOMAINS names for this run. */
export const outside: readonly Apart[] = paths.map((path, at) => apartIn(domains.at(at - paths.length)!, path))
/** The plug-ins that are on, then those from outside. */
export const apart: readonly Apart[] = [
  ...domains.filter(isPlugin).map((domain) => apartIn(domain, domain.name)),
  ...outside,
]

/**
 * A file of the core, and those like it in the folders of plug-ins and domains from outside, as far as they are there.
 * @param core from the root: `test/contract/guards.txt` @param theirs from a folder: `test/golden/guards.txt`
 */
export function filesLike(core: string, theirs: string): string[] {
  const files = apart.map(({ folder }) => join(folder, theirs)).filter((file) => existsSync(file))
  return [join(import.meta.dirname, '../..', core), ...files]
}

/** The text of every schema.ts. */
export const schemaTypes: string = filesLike('src/data/sql/schema.ts', 'schema.ts')
  .map((file) => readFileSync(file, 'utf8'))
  .join('\n')

function apartIn({ name, migrations }: Domain, path: string): Apart {
  return { name, migrations, folder: folderOf(path) }
}

const documents = documentsOf(domains)
/** The documents of plug-ins and domains from outside that are not written yet, by their paths. The service does not serve without them. */
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
 * Compares with golden files: the part of the core with that of `test/contract`, and that of each plug-in and domain from
 * outside with that in its folder. A run that walks only what DOMAINS adds looks at nothing else.
 * @param partOf the text of a plug-in or a domain from outside, or of the core
 */
export async function expectGolden(golden: Golden, partOf: (domain: string | undefined) => string): Promise<void> {
  const walksOutside = process.env.WALKED === 'outside'
  if (!walksOutside) await expectReviewed(golden, partOf(undefined))
  for (const { name, folder } of walksOutside ? outside : apart) {
    const part = partOf(name)
    const reviewed = join(folder, 'test/golden')
    // What adds nothing of a kind needs no file that says so; one that is there says that it did.
    if (part.trim() || existsSync(join(reviewed, golden.file)))
      await expectReviewed({ ...golden, renew: 'the same run with -u' }, part, reviewed)
  }
}

/**
 * The lines of a plug-in or a domain from outside, or of the core: those of no other.
 * @param lines each with the name of its domain
 */
export function partOf(
  domain: string | undefined,
  lines: readonly (readonly [domain: string, line: string])[],
): string {
  const isCore = (name: string) => !apart.some((one) => one.name === name)
  const shown = lines.filter(([name]) => (domain === undefined ? isCore(name) : name === domain))
  return shown.map(([, line]) => `${line}\n`).join('')
}

/** Compares a text with one golden file. */
async function expectReviewed(
  { file, means, renew = 'npm test -- --project quick -u' }: Golden,
  text: string,
  folder = CONTRACT,
): Promise<void> {
  const path = join(folder, file)
  const place = firstChange(existsSync(path) ? readFileSync(path, 'utf8') : '', text)
  const sentence = `${means}, first at “${place}”: if ${relative(process.cwd(), path)} is to change, renew it by ${renew} and review the difference`
  await expect(text, sentence).toMatchFileSnapshot(path)
}

/** The first line that differs; of a statement its name, which stands above it. */
function firstChange(before: string, after: string): string {
  const [old, now] = [before.split('\n'), after.split('\n')]
  const at = now.findIndex((line, at) => line !== old[at])
  const isRemoved = at < 0 || old.includes(now[at]!)
  const lines = (isRemoved ? old : now).slice(0, at < 0 ? now.length + 1 : at + 1)
  return (lines.findLast((line) => line.startsWith('-- '))?.slice(3) ?? lines.at(-1) ?? '')
    .trim()
    .replace(/ {2,}/g, ' ')
}
