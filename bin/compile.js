import * as nodeModule from 'node:module'
import { COMPILED } from './newer-node.js'

/**
 * `node bin/compile.js` compiles what a start loads, for all starts to come of this Node and this user: where a service
 * may not write, as in an image, it is done beforehand.
 */
nodeModule.enableCompileCache(COMPILED)
for (const part of [
  'src/log',
  'src/start',
  'appliance/cli/refusal',
  'appliance/workers/primary',
  'appliance/workers/worker',
])
  await import(`../${part}.ts`)
