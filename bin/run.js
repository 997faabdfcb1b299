import Module from 'node:module'
import { resolve } from 'node:path'
import { endWithParent, onNewerNode, readEnvFile, runInstead } from './newer-node.js'

/**
 * `node bin/run.js FILE …` runs a file on a Node that is new enough. Before the file, `--env` reads `.env`; other
 * options are Node's.
 */
endWithParent('SIGTERM')
await onNewerNode()
const words = process.argv.slice(2)
if (words[0] === '--env') {
  readEnvFile()
  words.shift()
}
const [file, ...rest] = words
if (file.startsWith('--')) await runInstead(process.execPath, [file, ...rest])
// As if Node itself had been given the file: it is the main module.
process.argv.splice(1, process.argv.length, resolve(file), ...rest)
Module.runMain()
