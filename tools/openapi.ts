import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { isDeepStrictEqual, parseArgs } from 'node:util'
import { generate } from '../client/generate.ts'
import type { Domain } from '../src/atrium/domain.ts'
import { merge } from '../src/http/docs/document.ts'
import { importDomains, isPlugin, loadDomains } from '../src/load-domains.ts'
import { writeGenerated } from './generate.ts'
import { buildDocument } from './openapi/document.ts'
import { offlineConfig } from './openapi/routes.ts'
import type { Json } from './openapi/schemas.ts'

/**
 * `npm run openapi`: writes the document of the core, and into the folders of plug-ins and of domains from outside what
 * they add: those of DOMAINS, or else the example's. The service serves the whole. With DOMAINS, `--out FOLDER` writes
 * the whole document and the operations of its client somewhere else.
 */
export const DOCUMENT = new URL('../openapi.json', import.meta.url)
/** The document as it is committed. */
export function textOf(document: Json): string {
  return `${JSON.stringify(document, null, 2)}\n`
}

async function renew(file: URL, text: string) {
  const name = relative(process.cwd(), fileURLToPath(file))
  const before = await readFile(file, 'utf8').catch(() => '')
  if (text !== before) await writeFile(file, text)
  console.log(text === before ? `${name} is up to date` : `${name} was written`)
}

/**
 * The document of the core, then what each plug-in adds to those that it uses: whichever others are on, that is the same.
 * The words of a domain are known from when it is first loaded, so none is loaded before its turn.
 */
async function renewOwn(): Promise<void> {
  await renew(DOCUMENT, textOf(await buildDocument(offlineConfig({ PLUGINS: 'none' }))))
  const plugins = (await importDomains(offlineConfig({}))).filter(isPlugin)
  const parts = new Map<string, Json>()
  for (const { name, document } of plugins) {
    if (!document) continue
    const all = await importDomains(offlineConfig({ PLUGINS: name }))
    const needed = all.filter((domain) => isPlugin(domain) && domain.name !== name).map((domain) => domain.name)
    const before = await buildDocument(offlineConfig({ PLUGINS: needed.join(',') || 'none' }))
    const after = await buildDocument(offlineConfig({ PLUGINS: name }))
    parts.set(name, additions(before, after))
  }
  for (const { name, document, hooks } of plugins) {
    if (!document) continue
    const more = hooks ? await addedToOthers(name, plugins) : {}
    await renew(document, textOf(merge(parts.get(name)!, more) as Json))
  }
}

/** What a plug-in adds to the operations of those that it does not use, through hooks of their routes. */
async function addedToOthers(name: string, plugins: readonly Domain[]): Promise<Json> {
  const isFree = (one: Domain): boolean => one.name !== name && (one.uses ?? []).every(isFree)
  const others = plugins.filter(isFree).map((one) => one.name)
  const before = await buildDocument(offlineConfig({ PLUGINS: others.join(',') || 'none' }))
  const after = await buildDocument(offlineConfig({ PLUGINS: [...others, name].join(',') }))
  return additions(before, after)
}

/** What each domain adds to the document of those before it. @returns the whole document */
async function renewParts(paths: readonly string[]): Promise<Json> {
  let document = await buildDocument(offlineConfig({}))
  for (const [at] of paths.entries()) {
    const config = offlineConfig({ DOMAINS: paths.slice(0, at + 1).join(',') })
    const whole = await buildDocument(config)
    const file = (await loadDomains(config)).at(-1)!.document
    if (file) await renew(file, textOf(additions(document, whole)))
    document = whole
  }
  return document
}

/**
 * What one document adds to another: fields of objects, items of lists, and fields of those items by their places.
 * @throws Error if something existing has changed
 */
function additions(before: Json, after: Json, place = ''): Json {
  const added: Json = {}
  for (const [key, value] of Object.entries<any>(after)) {
    const old = before[key]
    const here = `${place}/${key}`
    if (old === undefined) added[key] = value
    else if (isDeepStrictEqual(old, value)) continue
    else if (Array.isArray(old) && Array.isArray(value)) added[key] = moreOf(old, value, here)
    else if (isObject(old) && isObject(value)) added[key] = additions(old, value, here)
    else throw new Error(`A domain from outside changes ${here} of the document`)
  }
  return added
}

function moreOf(before: unknown[], after: unknown[], place: string): unknown[] | Json {
  const isIn = (list: unknown[]) => (item: unknown) => list.some((other) => isDeepStrictEqual(item, other))
  if (before.length === after.length && before.every(isObject) && !before.every(isIn(after)))
    return additions({ ...before }, { ...after }, place)
  if (!before.every(isIn(after))) throw new Error(`A domain from outside changes ${place} of the document`)
  return after.filter((item) => !isIn(before)(item))
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

if (import.meta.main) {
  const { out } = parseArgs({ options: { out: { type: 'string' } } }).values
  const { domains } = offlineConfig()
  if (domains.length === 0) {
    await renewOwn()
    await writeGenerated()
  }
  const document = await renewParts(domains.length ? domains : ['examples/labels'])
  if (out !== undefined) {
    await mkdir(out, { recursive: true })
    const folder = pathToFileURL(join(out, '/'))
    await renew(new URL('openapi.json', folder), textOf(document))
    await renew(new URL('operations.ts', folder), generate(document))
  }
}
