import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import * as nodeModule from 'node:module'
import { fileURLToPath } from 'node:url'

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

/** Once after the packages were installed, and before they are loaded: it takes 0.7 s. A worker is part of a start. */
export function makeBundles() {
  if (existsSync(LIST) || process.env.NODE_UNIQUE_ID) return
  spawnSync(process.execPath, [fileURLToPath(new URL('bundle.js', import.meta.url))], { stdio: 'ignore' })
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
  nodeModule.registerHooks({
    resolve(specifier, context, next) {
      const url = urls.get(specifier)
      if (!url || context.parentURL?.includes('/node_modules/')) return next(specifier, context)
      return { url, shortCircuit: true }
    },
  })
}
