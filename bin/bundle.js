import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { BUNDLES, LIST, versionOf } from './bundles.js'

/**
 * `node bin/bundle.js` makes one file of each package that every start loads, for `bundles.js`; code that two of them use
 * is in a third. The first start and the build of the image run it. Where the bundler is not installed, as after
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

if (existsSync(LIST)) process.exit()
const caches = fileURLToPath(new URL('../', BUNDLES))
if (!existsSync(caches)) mkdirSync(caches)
const made = join(caches, `making-${process.pid}`)
mkdirSync(made)
try {
  const { rolldown } = await import('rolldown')
  await bundle(rolldown)
  // Whole or not at all: another start may be looking for them.
  renameSync(made, BUNDLES)
} catch (error) {
  // Another start was faster.
  if (!existsSync(LIST)) throw error
} finally {
  rmSync(made, { recursive: true, force: true })
}

/** @param {typeof import('rolldown').rolldown} rolldown */
async function bundle(rolldown) {
  const bundled = PACKAGES.map((name) => ({ name, version: versionOf(name), file: `${name.replace('/', '-')}.mjs` }))
  /** @type {Map<string, string>} */
  const entries = new Map()
  for (const { name, file } of bundled) entries.set(file, await entryOf(name))
  const bundles = await rolldown({
    cwd: fileURLToPath(new URL('../', import.meta.url)),
    input: [...entries.keys()],
    platform: 'node',
    external: ['pg-native'],
    plugins: [
      {
        name: 'entries',
        resolveId: (id) => (entries.has(id) ? id : undefined),
        load: (id) => entries.get(id),
      },
    ],
  })
  await bundles.write({
    dir: made,
    entryFileNames: ({ facadeModuleId }) => facadeModuleId,
    chunkFileNames: '[name]-[hash].mjs',
  })
  writeFileSync(join(made, 'list.json'), JSON.stringify(bundled))
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
