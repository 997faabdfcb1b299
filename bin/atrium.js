#!/usr/bin/env node
import { loadBundles } from './bundles.js'
import { onNewerNode, readEnvFile } from './newer-node.js'

/** `npx atrium`: the command line, in the environment of `npm start`. */
await onNewerNode()
readEnvFile()
loadBundles()
await import('../appliance/cli.ts')
