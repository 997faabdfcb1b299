import * as nodeModule from 'node:module'
import { COMPILED, onNewerNode, readEnvFile, refuse } from './bin/newer-node.js'

/**
 * `npm start`, and the file for a supervisor. What was compiled at the last start, or by `bin/compile.js`, is not compiled
 * again, which halves the start; where the cache can neither be read nor written, it is. Plain JavaScript, so that nothing
 * is stripped of its types before the cache is open.
 */
await onNewerNode()
readEnvFile()
nodeModule.enableCompileCache(COMPILED)
await import('./appliance/main.ts').catch((error) => {
  const [, missing] = /^Cannot find package '([^']+)'/.exec(error.message) ?? []
  if (!missing) throw error
  refuse(`The package ${missing} is missing. Install them all: npm ci`)
})
