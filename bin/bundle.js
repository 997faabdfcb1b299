import {
  accessSync,
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { BUNDLES, entriesOfService, hasOwnPackages, LIST, madeBundles, ROOT, sumOf, versionOf } from './bundles.js'

/**
 * `node bin/bundle.js` puts the service, and the packages that every start loads, into few files for `bundles.js`. The
 * first start, each after a change, and the build of the image run it. Where the bundler is not installed, as after
 * `npm ci --omit=dev`, or nothing may be written, there are none, and a start takes longer.
 */
const PACKAGES = [
  '@fastify/jwt',
  '@fastify/multipart',
  '@fastify/sensible',
  '@fastify/static',
  '@prometheus-io/client',
  'fast-json-stringify',
  'fastify',
  'fastify-type-provider-zod',
  'kysely',
  'lru-cache',
  'pg',
  'pino',
  'zod',
]
/** A service that runs may still load a part of what it was started from. */
const OLD_MS = 24 * 3_600_000

const root = fileURLToPath(ROOT)
if (!hasOwnPackages || madeBundles()) process.exit()
const bundles = fileURLToPath(BUNDLES)
mkdirSync(bundles, { recursive: true })
accessSync(bundles, constants.W_OK)
const { rolldown } = await import('rolldown')
for (const name of readdirSync(bundles))
  if (Date.now() - statSync(bundles + name).mtimeMs > OLD_MS) rmSync(bundles + name, { recursive: true, force: true })
const folder = `${Date.now()}-${process.pid}`
const list = { folder, ...(await bundle(bundles + folder)) }
// Whole or not at all: another start may be looking for it.
writeFileSync(`${bundles}${folder}.json`, JSON.stringify(list), { flush: true })
renameSync(`${bundles}${folder}.json`, fileURLToPath(LIST))

/** @param {string} dir */
async function bundle(dir) {
  const packages = PACKAGES.map((name) => ({ name, version: versionOf(name), file: `${name.replace('/', '-')}.mjs` }))
  const entries = entriesOfService().map((source) => ({
    source,
    file: `${source.replaceAll('/', '-').slice(0, -3)}.mjs`,
  }))
  /** @type {Map<string, string>} */
  const ofPackages = new Map()
  for (const { name, file } of packages) ofPackages.set(file, await entryOf(name))
  /** @type {Map<string, string>} what was bundled, which may have been changed meanwhile */
  const read = new Map()
  const bundled = await rolldown({
    cwd: root,
    input: Object.fromEntries([
      ...packages.map(({ file }) => [file, file]),
      ...entries.map(({ source, file }) => [file, root + source]),
    ]),
    platform: 'node',
    tsconfig: false,
    preserveEntrySignatures: 'exports-only',
    // The service loads other packages from their own files.
    external: (id, importer) =>
      id === 'pg-native' || (importer?.endsWith('.ts') === true && /^[@a-z]/.test(id) && !PACKAGES.includes(id)),
    plugins: [
      {
        name: 'entries',
        resolveId: (id) => (ofPackages.has(id) ? id : undefined),
        load: (id) => ofPackages.get(id),
      },
      {
        name: 'places',
        transform(code, id) {
          const path = pathFrom(root, id)
          // The version is in package.json; others of JSON belong to packages.
          if (path === 'package.json') read.set(path, readFileSync(id, 'utf8'))
          if (!id.endsWith('.ts')) return undefined
          read.set(path, code)
          return inPlace(code, pathFrom(dir, id))
        },
      },
    ],
  })
  await bundled.write({ dir, sourcemap: true, entryFileNames: '[name]', chunkFileNames: '[name]-[hash].mjs' })
  const names = readdirSync(dir).filter((name) => name.endsWith('.mjs'))
  const files = names.map((name) => ({ name, size: flushed(`${dir}/${name}`) }))
  const sources = [...read].sort(([one], [other]) => (one < other ? -1 : 1))
  return { files, packages, entries, sources: sources.map(([path]) => path), sum: sumOf(sources) }
}

/** Writes a file through to the disk. @param {string} path @returns {number} its size */
function flushed(path) {
  const file = openSync(path, 'r+')
  fsyncSync(file)
  const { size } = fstatSync(file)
  closeSync(file)
  return size
}

/**
 * @param {string} folder
 * @param {string} file
 */
function pathFrom(folder, file) {
  return relative(folder, file).replaceAll(sep, '/')
}

/**
 * What a module looks up beside itself is where its source is.
 * @param {string} code
 * @param {string} source from the folder of the bundles
 */
function inPlace(code, source) {
  const place = `new URL(${JSON.stringify(source)}, import.meta.url).href`
  return { code: code.replaceAll('import.meta.url', place), map: null }
}

/**
 * Exports what Node finds in the package by name: a bundler finds no names in a CommonJS module.
 * @param {string} name of a package
 */
async function entryOf(name) {
  const names = Object.keys(await import(name)).filter((key) => /^\w+$/.test(key))
  // Some names, such as `enum` of zod, cannot be those of a variable.
  const exported = names.map((key, at) => `const $${at} = all.${key}\nexport { $${at} as ${key} }`)
  return [`import * as all from '${name}'`, ...exported].join('\n')
}
