import { readdirSync } from 'node:fs'
import * as nodeModule from 'node:module'
import { BUNDLES, loadBundles, madeBundles } from './bundles.js'
import { COMPILED } from './newer-node.js'

/**
 * `node bin/compile.js` compiles what a start loads, for later starts of this Node and this user. It runs in advance
 * where a service may not write, as in an image.
 */
nodeModule.enableCompileCache(COMPILED)
const list = madeBundles()
if (!list) throw new Error('There are no bundles of these sources: node bin/bundle.js')
loadBundles()
const folder = new URL(`${list.folder}/`, BUNDLES)
// The programs would run.
const files = readdirSync(folder).filter((file) => file.endsWith('.mjs') && !file.startsWith('appliance-'))
for (const file of files) await import(new URL(file, folder).href)
