import * as nodeModule from 'node:module'
import { loadBundles } from './bundles.js'
import { COMPILED } from './newer-node.js'

/**
 * `node bin/compile.js` compiles what a start loads, for later starts of this Node and this user. It runs in advance
 * where a service may not write, as in an image.
 */
nodeModule.enableCompileCache(COMPILED)
loadBundles()
for (const part of [
  'src/config/own-config',
  'src/log',
  'src/start',
  'appliance/cli/refusal',
  'appliance/workers/primary',
  'appliance/workers/worker',
])
  await import(`../${part}.ts`)
