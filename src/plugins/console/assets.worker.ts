import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { glob } from 'node:fs/promises'
import { stripTypeScriptTypes } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parentPort, workerData } from 'node:worker_threads'
import { gzipSync } from 'node:zlib'
import { generate } from '#client/generate.ts'
import { eventTypesIn, summariesIn } from './generate.ts'

/**
 * Reads every file of the console and of the typed client, strips the types and the comments, and sends them compressed.
 * What follows from the document, and the extensions of the console, are those of the domains that are on.
 * It runs in a worker, at the first request: neither the start nor the other requests wait for it.
 */
const BROWSER = fileURLToPath(new URL('./browser/', import.meta.url))
const CLIENT = fileURLToPath(new URL('../../../client/', import.meta.url))
/** Packages, each with the module of it that a browser loads. */
const LIBRARIES = {
  preact: 'preact',
  'preact/hooks': 'preact/hooks',
  htm: 'htm',
  qr: 'qr',
  uplot: 'uplot/dist/uPlot.esm.js',
}
const BARE = /(from ?|import ?|import\()(['"])(preact\/hooks|preact|htm|qr|uplot)\2/g

const START = 'console/start.ts'
const JSDOC = /^ *\/\*\*[\s\S]*?\*\/$/gm
const STATIC_IMPORT = /^(?:import|export)\b[^'"(=]*?\bfrom\s*['"]([^'"]+)['"]/gm
const ADDRESS = '/console/assets/'
/** As the console names files of the client, and extensions those of the console: in plug-ins, and from outside. */
const SHORT = /(from ?|import ?|import\()(['"])(?:#|atrium\/)(client|console)\//g

const given = workerData as { document: string; extensions: [name: string, folder: string][] }
const { extensions } = given
const document = JSON.parse(given.document)
const GENERATED: Record<string, string> = {
  'console/lib/summaries.ts': summariesIn(document),
  'console/lib/event-types.ts': eventTypesIn(document),
}
const EXTENSIONS = 'console/extensions.ts'
const NOT_SERVED = ['console/extension.ts', EXTENSIONS]
const files = new Map<string, Uint8Array>()
const modules = new Map<string, string>()
for (const [path, text] of Object.entries(GENERATED)) addModule(path, scriptOf(text))
for await (const file of glob('**/*.{ts,css,svg,html}', { cwd: BROWSER })) {
  const path = `console/${file}`
  if (path in GENERATED || NOT_SERVED.includes(path)) continue
  const text = readFileSync(join(BROWSER, file), 'utf8')
  if (path.endsWith('.ts')) addModule(path, scriptOf(text))
  else add(path, text)
}
// No name of the client occurs twice, so its files travel as one.
const client = readdirSync(CLIENT).filter(
  (name) => name.endsWith('.ts') && !['generate.ts', 'operations.ts'].includes(name),
)
const parts = [...client.map((name) => readFileSync(join(CLIENT, name), 'utf8')), generate(document)]
addModule('client/index.ts', parts.map(scriptOf).join('\n').replace(STATIC_IMPORT, ''))
// What domains add travels as one module; each is in a block of its own, so their names do not meet.
const added: string[] = []
const folders = extensions.map(([, folder]) => fileURLToPath(folder))
for (const [at, [name]] of extensions.entries())
  for await (const path of glob('**/*.ts', { cwd: folders[at]! })) {
    const code = scriptOf(readFileSync(join(folders[at]!, path), 'utf8'))
    const base = `${ADDRESS}extensions/${name}/`
    if (path !== 'extension.ts') addModule(`extensions/${name}/${path}`, code)
    else
      added.push(
        code.replaceAll("import('./", `import('${base}`).replace('export default', 'extensions[extensions.length] ='),
      )
  }
addModule(EXTENSIONS, `export const extensions = []\n${added.map((code) => `{\n${code}}\n`).join('')}`)
// The words of a language lie in a file for each page or extension, and travel as one.
const TEXTS = join(BROWSER, 'texts')
for (const language of readdirSync(TEXTS)) {
  const ofPages = readdirSync(join(TEXTS, language)).map((file) => join(TEXTS, language, file))
  const ofExtensions = folders.map((folder) => join(folder, 'texts', `${language}.json`)).filter(existsSync)
  const words = [...ofExtensions, ...ofPages].map((file) => JSON.parse(readFileSync(file, 'utf8')))
  add(`console/texts/${language}.json`, JSON.stringify(Object.assign({}, ...words)))
}
for (const [name, module] of Object.entries(LIBRARIES)) addModule(`lib/${name}.js`, read(module))
add('lib/uplot.css', read('uplot/dist/uPlot.min.css'))
add('console/index.html', readFileSync(join(BROWSER, 'index.html'), 'utf8').replace('<!-- modules -->', preloads()))
parentPort!.postMessage(files)

function read(module: string): string {
  return readFileSync(fileURLToPath(import.meta.resolve(module)), 'utf8')
}

/** What a browser needs of a file. Blanks stand where types stood. */
function scriptOf(text: string): string {
  const lines = stripTypeScriptTypes(text).replace(JSDOC, '').split('\n')
  return lines.map((line) => line.trimEnd()).join('\n')
}

function add(path: string, text: string) {
  files.set(path, gzipSync(text, { level: 9 }))
}

function addModule(path: string, code: string) {
  modules.set(path, withAddresses(code))
  add(path, modules.get(path)!)
}

/** All modules that the page needs before it shows anything: a browser would find them one after another. */
function preloads(): string {
  const needed = new Set([START])
  for (const path of needed)
    for (const [, name] of modules.get(path)!.matchAll(STATIC_IMPORT))
      needed.add(new URL(name!, `http://any${ADDRESS}${path}`).pathname.slice(ADDRESS.length))
  return [...needed].map((path) => `<link rel="modulepreload" href="${ADDRESS}${path}" />`).join('\n    ')
}

/** A browser knows no packages and no short names: they become addresses. */
function withAddresses(code: string): string {
  return code
    .replace(BARE, (_, word, quote, name) => `${word}${quote}${ADDRESS}lib/${name}.js${quote}`)
    .replace(SHORT, `$1$2${ADDRESS}$3/`)
}
