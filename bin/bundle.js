import { rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { BUNDLES, LIST, versionOf } from './bundles.js'

/**
 * `node bin/bundle.js` makes one file of each package that every start loads, for `bundles.js`; code that two of them use
 * is in a third. `npm ci` and the build of the image run it. Where the bundler is not installed, as after
 * `npm ci --omit=dev`, there are none, and a start takes longer.
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

rmSync(BUNDLES, { recursive: true, force: true })
const bundler = await import('rolldown').catch(() => undefined)
if (bundler) await bundle(bundler.rolldown)

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
    dir: fileURLToPath(BUNDLES),
    entryFileNames: ({ facadeModuleId }) => facadeModuleId,
    chunkFileNames: '[name]-[hash].mjs',
  })
  writeFileSync(LIST, JSON.stringify(bundled))
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
