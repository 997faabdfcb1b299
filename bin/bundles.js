import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, lstatSync, readdirSync, readFileSync, statSync } from 'node:fs'
import * as nodeModule from 'node:module'
import { fileURLToPath } from 'node:url'

export const ROOT = new URL('../', import.meta.url)
const PACKAGES = new URL('node_modules/', ROOT)
/** Where `bundle.js` puts what a start loads, in few files. npm removes it with the packages. */
export const BUNDLES = new URL('.cache/atrium-start/', PACKAGES)
/** What was made last, and of what. */
export const LIST = new URL('list.json', BUNDLES)

/**
 * @typedef {object} List
 * @property {string} folder of the bundles, in BUNDLES
 * @property {{ name: string, size: number }[]} files in the folder
 * @property {{ name: string, version: string, file: string }[]} packages
 * @property {{ source: string, file: string }[]} entries those of the service
 * @property {string[]} sources all that the entries load of the service
 * @property {string} sum of what is in the sources
 */

/** @param {string} name of a package, which need not be installed any more */
export function versionOf(name) {
  const described = new URL(`${name}/package.json`, PACKAGES)
  return existsSync(described) && JSON.parse(readFileSync(described, 'utf8')).version
}

/** False in a copy that uses the packages of another folder, and of its bundles those of packages. */
export const hasOwnPackages = lstatSync(fileURLToPath(PACKAGES).slice(0, -1), { throwIfNoEntry: false })?.isDirectory()

/**
 * The modules of the service that are asked for by their names: its programs, the plug-ins, and what domains from outside
 * import.
 */
export function entriesOfService() {
  // Without any plug-in, their folder is missing.
  const folders = ['src/domains/', 'src/plugins/'].filter((folder) => existsSync(new URL(folder, ROOT)))
  const inside = folders.flatMap((folder) =>
    readdirSync(new URL(folder, ROOT)).flatMap((name) =>
      [`${name}.domain.ts`, `${name}.ts`].map((file) => `${folder}${name}/${file}`),
    ),
  )
  return ['appliance/main.ts', 'appliance/cli.ts', 'src/atrium/atrium.ts', ...inside].filter((path) =>
    existsSync(new URL(path, ROOT)),
  )
}

/** A sum of sources, by their paths from the root. @param {(readonly [string, string | Buffer])[]} sources */
export function sumOf(sources) {
  const sum = createHash('sha1')
  for (const [path, content] of sources) sum.update(path).update(content)
  return sum.digest('hex')
}

/** @type {List | false | undefined} */
let made

/** The bundles of what is here now. @returns {List | false} false if there are none */
export function madeBundles() {
  made ??= readList()
  return made
}

function readList() {
  /** @type {List} */
  let list
  try {
    list = JSON.parse(readFileSync(LIST, 'utf8'))
    // After a failure of the machine, or where something cleans caches, they need not be whole.
    if (!list.files.every(({ name, size }) => statSync(new URL(`${list.folder}/${name}`, BUNDLES)).size === size))
      return false
  } catch {
    return false
  }
  const { packages, entries, sources, sum } = list
  const isOfPackages = packages.every(({ name, version }) => versionOf(name) === version)
  if (!isOfPackages) return false
  if (!hasOwnPackages) return { ...list, entries: [] }
  const isOfEntries = String(entriesOfService()) === String(entries.map(({ source }) => source))
  const files = sources.map((path) => /** @type {const} */ ([path, new URL(path, ROOT)]))
  const areHere = isOfEntries && files.every(([, file]) => existsSync(file))
  return areHere && sumOf(files.map(([path, file]) => [path, readFileSync(file)])) === sum && list
}

/** Before anything is loaded, once after packages were installed or sources changed: it takes two seconds. */
export function makeBundles() {
  // A worker is part of a start.
  if (process.env.NODE_UNIQUE_ID || !hasOwnPackages || madeBundles()) return
  spawnSync(process.execPath, [fileURLToPath(new URL('bundle.js', import.meta.url))], { stdio: 'ignore' })
  made = undefined
}

/**
 * From now on the service and the packages that it imports come from the bundles, if there are some of what is here: to
 * find and load two thousand small files is half of a start, and 50 MiB. Other packages load their own files. Errors
 * name lines of the bundles; with `node --enable-source-maps`, those of the sources.
 */
export function loadBundles() {
  const list = madeBundles()
  if (!list) return
  const folder = new URL(`${list.folder}/`, BUNDLES).href
  const packages = new Map(list.packages.map(({ name, file }) => [name, folder + file]))
  const entries = new Map(list.entries.map(({ source, file }) => [new URL(source, ROOT).href, folder + file]))
  nodeModule.registerHooks({
    resolve(specifier, context, next) {
      const isBundle = context.parentURL?.startsWith(folder)
      if (isBundle && specifier.startsWith('./'))
        return { url: folder + specifier.slice(2), format: 'module', shortCircuit: true }
      const isOurs = isBundle || !context.parentURL?.includes('/node_modules/')
      const url = isOurs && packages.get(specifier)
      if (url) return { url, format: 'module', shortCircuit: true }
      const found = next(specifier, context)
      const bundled = entries.get(found.url)
      return bundled ? { ...found, url: bundled, format: 'module' } : found
    },
  })
}
