import { existsSync, readFileSync } from 'node:fs'
import { registerHooks } from 'node:module'

const PACKAGES = new URL('../node_modules/', import.meta.url)
/** Where `bundle.js` puts one file for each package that a start loads. npm removes it with the packages. */
export const BUNDLES = new URL('.cache/atrium-bundles/', PACKAGES)
/** What is there: each package with its version and its file. */
export const LIST = new URL('list.json', BUNDLES)

/** @param {string} name of a package, which need not be installed any more */
export function versionOf(name) {
  const described = new URL(`${name}/package.json`, PACKAGES)
  return existsSync(described) && JSON.parse(readFileSync(described, 'utf8')).version
}

/**
 * From now on what this service imports of a package comes from its bundle, if there is one of the installed version: to
 * find and load hundreds of small files of kysely, zod and fastify is a fifth of a start, and 20 MiB. Packages among
 * themselves load their own files.
 */
export function loadBundles() {
  if (!existsSync(LIST)) return
  /** @type {{ name: string, version: string, file: string }[]} */
  const bundled = JSON.parse(readFileSync(LIST, 'utf8'))
  const urls = new Map(
    bundled
      .filter(({ name, version }) => versionOf(name) === version)
      .map(({ name, file }) => [name, new URL(file, BUNDLES).href]),
  )
  registerHooks({
    resolve(specifier, context, next) {
      const url = urls.get(specifier)
      if (!url || context.parentURL?.includes('/node_modules/')) return next(specifier, context)
      return { url, shortCircuit: true }
    },
  })
}
