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
const LIBRARIES = ['preact', 'preact/hooks', 'htm']
const BARE = /(['"])(preact\/hooks|preact|htm)\1/g

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
for (const name of LIBRARIES)
  add(`lib/${name}.js`, withAddresses(readFileSync(fileURLToPath(import.meta.resolve(name)), 'utf8')))
parentPort!.postMessage(files)

function add(path: string, text: string) {
  files.set(path, gzipSync(text, { level: 9 }))
}

/** A browser knows no packages: their names become addresses. */
function withAddresses(code: string): string {
  return code.replace(BARE, (_, quote, name) => `${quote}/console/assets/lib/${name}.js${quote}`)
}
