import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { type Domain, introduce } from './atrium/domain.ts'
import { provePorts } from './atrium/port.ts'
import { type Config, InvalidConfiguration } from './config/config.ts'
import { ownerOf, variablesOfPlugins } from './config/environment.ts'
import { type MigrationSource, OWN_MIGRATIONS, tablesMadeIn } from './data/setup/migrations.ts'
import { CORE } from './domains/index.ts'

/** What the configuration says of domains: the plug-ins that are on, and the paths of domains from outside. */
export type Chosen = Pick<Config, 'plugins' | 'domains'> & Partial<Pick<Config, 'heldBack'>>

const PLUGINS = fileURLToPath(new URL('./plugins/', import.meta.url))

/** The names of the plug-ins that are here: the folders below `src/plugins`. */
export const PLUGIN_NAMES: readonly string[] = existsSync(PLUGINS)
  ? readdirSync(PLUGINS)
      .filter((name) => existsSync(entryOf(join(PLUGINS, name))))
      .sort()
  : []

/**
 * The domains of the core, the plug-ins that are on with those that they use, and the domains from outside. Each stands
 * behind those that it uses. What domains from outside import from `atrium` is this service.
 *
 * @throws InvalidConfiguration that names an unknown plug-in, a path without a domain, or what is wrong with the variables
 * of a plug-in that others bring along, a word that two declare, or a need that none provides
 */
export async function loadDomains(chosen: Chosen): Promise<readonly Domain[]> {
  const domains = await importDomains(chosen)
  const on = new Set<string | undefined>(domains.map(({ name }) => name))
  const wrong = chosen.heldBack?.filter((problem) => on.has(ownerOf(problem))) ?? []
  if (wrong.length > 0) throw new InvalidConfiguration(wrong)
  for (const domain of domains.filter((domain) => !introduced.has(domain))) {
    orRefuse(domain.name, () => introduce([domain]))
    introduced.add(domain)
  }
  orRefuse('PLUGINS', provePorts)
  return domains
}

/** The same, and the words of none become known. */
export async function importDomains(chosen: Chosen): Promise<readonly Domain[]> {
  if (chosen.domains.length > 0) openTheDoor()
  const plugins = await Promise.all(pluginsNamed(chosen.plugins).map((name) => importDomain(join(PLUGINS, name))))
  const fromOutside = await Promise.all(chosen.domains.map((path) => importDomain(resolve(path), path)))
  return [...withTheirNeeds([...CORE, ...plugins, ...fromOutside])]
}

/** A process may build the service more than once. */
const introduced = new Set<Domain>(CORE)

/** Each domain behind those that it uses, which come along where they are not on the list. */
function withTheirNeeds(domains: readonly Domain[], found = new Set<Domain>()): Set<Domain> {
  for (const domain of domains) {
    if (!CORE.includes(domain)) withTheirNeeds(domain.uses ?? [], found)
    found.add(domain)
  }
  return found
}

/** @param chosen PLUGINS: `all`, `none` or names */
function pluginsNamed(chosen: readonly string[]): readonly string[] {
  if (chosen[0] === 'all') return PLUGIN_NAMES
  if (chosen[0] === 'none') return []
  const unknown = chosen.filter((name) => !PLUGIN_NAMES.includes(name))
  if (unknown.length === 0) return chosen
  const problem = `there is no plug-in ${unknown.join(', ')}; there are ${PLUGIN_NAMES.join(', ')}; or say all or none`
  throw new InvalidConfiguration([['PLUGINS', problem]])
}

/** Whether a domain is of the core, which is always there. */
export function isInCore(domain: Domain): boolean {
  return CORE.includes(domain)
}

/** Whether a domain is a plug-in: one that an installation can leave out. */
export function isPlugin({ name }: Domain): boolean {
  return PLUGIN_NAMES.includes(name)
}

/** A plug-in, and whether it is on. */
export interface PluginState {
  name: string
  on: boolean
}

/** Every plug-in that is here. @param domains those that are loaded */
export function statesOf(domains: readonly Domain[]): PluginState[] {
  const loaded = new Set(domains.map(({ name }) => name))
  return PLUGIN_NAMES.map((name) => ({ name, on: loaded.has(name) }))
}

/** A plug-in as its declaration describes it. */
export interface PluginDescription extends PluginState {
  about: string
  /** the plug-ins that it brings along */
  needs: string[]
  /** those that its own migrations make */
  tables: string[]
}

/** Every plug-in that is here, whether or not it is on. @param domains those that are loaded */
export async function describePlugins(domains: readonly Domain[]): Promise<PluginDescription[]> {
  const declared = await importDomains({ plugins: ['all'], domains: [] })
  return Promise.all(
    statesOf(domains).map(async ({ name, on }) => {
      const { about = '', uses = [], migrations } = declared.find((plugin) => plugin.name === name)!
      const needs = uses.filter(isPlugin).map(({ name }) => name)
      return { name, on, about, needs, tables: migrations ? await tablesMadeIn(migrations) : [] }
    }),
  )
}

/** The variables that are set and belong to a plug-in that is off. Nothing else of it is read. */
export function idleVariables(
  { given }: Pick<Config, 'given'>,
  domains: readonly Domain[],
): { name: string; plugin: string }[] {
  const off = statesOf(domains).filter(({ on }) => !on)
  return variablesOfPlugins().filter(
    ({ name, plugin }) => given.includes(name) && off.some((state) => state.name === plugin),
  )
}

/** The plug-ins that are on only because others use them, each with one of those. */
export function broughtAlong(chosen: Chosen, domains: readonly Domain[]): { name: string; by: string }[] {
  const named = new Set(pluginsNamed(chosen.plugins))
  return domains
    .filter((domain) => isPlugin(domain) && !named.has(domain.name))
    .map((domain) => ({ name: domain.name, by: domains.find(({ uses = [] }) => uses.includes(domain))!.name }))
}

/** What domains add to the document of the service. */
export function documentsOf(domains: readonly Domain[]): readonly URL[] {
  return domains.flatMap(({ document }) => document ?? [])
}

/** Where the migrations of the service and its domains are. */
export function migrationsOf(domains: readonly Domain[]): readonly MigrationSource[] {
  const ofDomains = domains.flatMap(({ name, migrations: folder }) => (folder ? { name, folder } : []))
  return [OWN_MIGRATIONS, ...ofDomains]
}

/**
 * @param said as DOMAINS names it; a plug-in is named by its file, since no variable is to blame
 * @throws InvalidConfiguration if there is no domain, or its file cannot be loaded
 */
export async function importDomain(path: string, said?: string): Promise<Domain> {
  const entry = checkedEntryOf(path)
  const refuse = (problem: string) =>
    new InvalidConfiguration([said === undefined ? [relative('.', entry), problem] : ['DOMAINS', `${said} ${problem}`]])
  const loaded = await import(/* @vite-ignore */ pathToFileURL(entry).href).catch((error) => {
    throw refuse(`cannot be loaded: ${sentenceOf(error)}${placeOf(error)}`)
  })
  const domain = loaded.default as Partial<Domain> | undefined
  if (typeof domain?.name === 'string') return domain as Domain
  throw refuse('does not export a domain as its default; declare it with domain({ name, … })')
}

function orRefuse(name: string, prove: () => void): void {
  try {
    prove()
  } catch (error) {
    throw new InvalidConfiguration([[name, sentenceOf(error)]])
  }
}

/** What went wrong in a declaration, in one line. */
function sentenceOf(error: unknown): string {
  return String(error)
    .replace(/ \[\w+\](?=: )/, '')
    .replace(/^Error: /, '')
    .replaceAll(/\s+/g, ' ')
}

/** The line that has thrown: the file of a domain may import the one that is wrong. */
function placeOf(error: unknown): string {
  const words = String((error as Error)?.stack)
    .replaceAll('file://', '')
    .split(/[\s()]+/)
  const place = words.find((word) => /^\/.*\.[jt]s:\d/.test(word) && !word.includes('/node_modules/'))
  const [file, line] = place?.split(':') ?? []
  return file && file !== fileURLToPath(import.meta.url) ? ` (${relative('.', file)}:${line})` : ''
}

/** The folder of a domain. @param path as in DOMAINS, or the name of a plug-in */
export function folderOf(path: string): string {
  if (PLUGIN_NAMES.includes(path)) return join(PLUGINS, path)
  return statSync(path).isDirectory() ? resolve(path) : dirname(resolve(path))
}

/** A folder's `package.json` may name the file; otherwise it is `labels.domain.ts` in a folder `labels`. */
function entryOf(path: string): string {
  if (!statSync(path).isDirectory()) return path
  const described = join(path, 'package.json')
  const { main = `${basename(path)}.domain.ts` } = existsSync(described)
    ? JSON.parse(readFileSync(described, 'utf8'))
    : {}
  return join(path, main)
}

function checkedEntryOf(path: string): string {
  const refuse = (problem: string) => new InvalidConfiguration([['DOMAINS', problem]])
  if (!existsSync(path)) throw refuse(`there is nothing at ${path}`)
  const entry = entryOf(path)
  if (existsSync(entry)) return entry
  throw refuse(
    `there is no ${entry}; give the file of the domain this name, or name it as \`main\` in ${join(path, 'package.json')}`,
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
