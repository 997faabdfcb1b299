import * as nodeModule from 'node:module'
import { loadBundles, makeBundles } from './bin/bundles.js'
import { COMPILED, endWithParent, onNewerNode, readEnvFile, refuse } from './bin/newer-node.js'

/**
 * `npm start`, and the file for a supervisor. What the last start or `bin/compile.js` compiled is not compiled again,
 * which halves the start; it is if the cache can neither be read nor written. Plain JavaScript, because types would be
 * stripped before the cache is open.
 */
// Started otherwise, it may outlive what started it.
if (process.env.npm_lifecycle_event === 'start') endWithParent('SIGHUP')
await onNewerNode()
readEnvFile()
// Before anything is loaded, which takes a second. A log of production is JSON only, and a worker is part of a start.
if (process.env.NODE_ENV !== 'production' && !process.env.NODE_UNIQUE_ID) process.stderr.write('Atrium is starting.\n')
nodeModule.enableCompileCache(COMPILED)
// `node --watch` hears of the files that are loaded.
if (!process.env.WATCH_REPORT_DEPENDENCIES) {
  makeBundles()
  loadBundles()
}
await import('./appliance/main.ts').catch((error) => {
  const [, missing] = /^Cannot find package '([^']+)'/.exec(error.message) ?? []
  if (!missing) throw error
  refuse(`The package ${missing} is missing. Install all packages: npm ci`)
})
