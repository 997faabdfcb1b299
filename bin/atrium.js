#!/usr/bin/env node
import { loadBundles } from './bundles.js'
import { onNewerNode, readEnvFile } from './newer-node.js'

/** `npx atrium`: the command line, in the environment of `npm start`. */
await onNewerNode()
readEnvFile()
// The demo is not in the bundles: it would find nothing set up in the modules that it loads itself.
if (process.argv[2] !== 'seed') loadBundles()
await import('../appliance/cli.ts')
