#!/usr/bin/env node
import { onNewerNode, readEnvFile } from './newer-node.js'

/** `npx atrium`: the command line, in the environment of `npm start`. */
await onNewerNode()
readEnvFile()
await import('../appliance/cli.ts')
