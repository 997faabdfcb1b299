import * as nodeModule from 'node:module'
import { fileURLToPath } from 'node:url'
import { onNewerNode, readEnvFile, refuse } from './bin/newer-node.js'

/**
 * `npm start`, and the file for a supervisor: `node start.js`. What was compiled at the last start is not compiled again,
 * which halves the start; where the cache cannot be written, it is compiled. Plain JavaScript, so that nothing is
 * stripped of its types before the cache is open.
 */
await onNewerNode()
readEnvFile()
nodeModule.enableCompileCache(fileURLToPath(new URL('node_modules/.cache/atrium', import.meta.url)))
await import('./src/main.ts').catch((error) => {
  const [, missing] = /^Cannot find package '([^']+)'/.exec(error.message) ?? []
  if (!missing) throw error
  refuse(`The package ${missing} is missing. Install them all: npm ci`)
})
