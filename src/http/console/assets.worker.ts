import { readdirSync, readFileSync } from 'node:fs'
import { glob } from 'node:fs/promises'
import { stripTypeScriptTypes } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parentPort } from 'node:worker_threads'
import { gzipSync } from 'node:zlib'

/**
 * Reads every file of the console and of the typed client, takes the types out, and sends them compressed. It runs in a
 * worker, at the first request: neither the start nor the other requests wait for it.
 */
const ROOT = fileURLToPath(new URL('../../../', import.meta.url))
/** Packages, each with the module of it that a browser loads. */
const LIBRARIES = {
  preact: 'preact',
  'preact/hooks': 'preact/hooks',
  htm: 'htm',
  qr: 'qr',
  uplot: 'uplot/dist/uPlot.esm.js',
}
const BARE = /(from ?|import ?|import\()(['"])(preact\/hooks|preact|htm|qr|uplot)\2/g

const files = new Map<string, Uint8Array>()
for await (const path of glob(['console/**/*.{ts,css,svg,html}', 'client/*.ts'], {
  cwd: ROOT,
  exclude: ['client/generate.ts'],
})) {
  const text = readFileSync(join(ROOT, path), 'utf8')
  add(path, path.endsWith('.ts') ? withAddresses(stripTypeScriptTypes(text)) : text)
}
// The words of a language lie in a file for each page, and travel as one.
for await (const folder of glob('console/texts/*', { cwd: ROOT })) {
  const words = readdirSync(join(ROOT, folder)).map((file) => readFileSync(join(ROOT, folder, file), 'utf8'))
  add(`${folder}.json`, JSON.stringify(Object.assign({}, ...words.map((text) => JSON.parse(text)))))
}
for (const [name, module] of Object.entries(LIBRARIES)) add(`lib/${name}.js`, withAddresses(read(module)))
add('lib/uplot.css', read('uplot/dist/uPlot.min.css'))
parentPort!.postMessage(files)

function read(module: string): string {
  return readFileSync(fileURLToPath(import.meta.resolve(module)), 'utf8')
}

function add(path: string, text: string) {
  files.set(path, gzipSync(text, { level: 9 }))
}

/** A browser knows no packages: their names become addresses. */
function withAddresses(code: string): string {
  return code.replace(BARE, (_, word, quote, name) => `${word}${quote}/console/assets/lib/${name}.js${quote}`)
}
