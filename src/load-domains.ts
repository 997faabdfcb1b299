import { existsSync, readFileSync, statSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { basename, dirname, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type Domain, introduce } from './atrium/domain.ts'
import { type MigrationSource, OWN_MIGRATIONS } from './data/setup/migrations.ts'
import { DOMAINS } from './domains/index.ts'

/**
 * The domains of the service, and those from outside that the configuration names: each a file whose default export is
 * a domain, or the folder of one. What they import from `atrium` is this service.
 *
 * @param paths from the working directory
 * @throws Error that names a path without a domain
 */
export async function loadDomains(paths: readonly string[]): Promise<readonly Domain[]> {
  if (paths.length === 0) return DOMAINS
  openTheDoor()
  const fromOutside = await Promise.all(paths.map(loadDomain))
  introduce(fromOutside.filter((domain) => !introduced.has(domain)))
  for (const domain of fromOutside) introduced.add(domain)
  return [...DOMAINS, ...fromOutside]
}

/** A process may build the service more than once. */
const introduced = new Set<Domain>()

/** What domains add to the document of the service. */
export function documentsOf(domains: readonly Domain[]): readonly URL[] {
  return domains.flatMap(({ document }) => document ?? [])
}

/** Where the migrations of the service and its domains are. */
export function migrationsOf(domains: readonly Domain[]): readonly MigrationSource[] {
  const ofDomains = domains.flatMap(({ name, migrations: folder }) => (folder ? { name, folder } : []))
  return [OWN_MIGRATIONS, ...ofDomains]
}

async function loadDomain(path: string): Promise<Domain> {
  const loaded = await import(/* @vite-ignore */ pathToFileURL(entryOf(resolve(path))).href)
  const domain = loaded.default as Partial<Domain> | undefined
  if (typeof domain?.name === 'string' && typeof domain.routes === 'function') return domain as Domain
  throw new Error(
    `DOMAINS: ${path} does not export a domain as its default; declare it with domain({ name, routes, … })`,
  )
}

/** The folder of a domain from outside. @param path as in DOMAINS */
export function folderOf(path: string): string {
  return statSync(path).isDirectory() ? resolve(path) : dirname(resolve(path))
}

/** A folder's `package.json` may name the file; otherwise it is `labels.domain.ts` in a folder `labels`. */
function entryOf(path: string): string {
  if (!existsSync(path)) throw new Error(`DOMAINS: there is nothing at ${path}`)
  if (!statSync(path).isDirectory()) return path
  const described = join(path, 'package.json')
  const { main = `${basename(path)}.domain.ts` } = existsSync(described)
    ? JSON.parse(readFileSync(described, 'utf8'))
    : {}
  const entry = join(path, main)
  if (existsSync(entry)) return entry
  throw new Error(
    `DOMAINS: there is no ${entry}; give the file of the domain this name, or name it as \`main\` in ${described}`,
  )
}

let opened = false
/**
 * A domain from outside is in another package, or in none. Its imports of `atrium` and `atrium/…` are resolved as from
 * this package, and its TypeScript files are loaded as modules.
 */
function openTheDoor(): void {
  if (opened) return
  opened = true
  registerHooks({
    resolve(specifier, context, next) {
      if (/^atrium(\/|$)/.test(specifier)) return next(specifier, { ...context, parentURL: import.meta.url })
      const found = next(specifier, context)
      return found.format === undefined && found.url.endsWith('.ts') ? { ...found, format: 'module-typescript' } : found
    },
  })
}
