import { readFile } from 'node:fs/promises'
import { isDeepStrictEqual } from 'node:util'

/** Written by `npm run openapi`; a test compares it with the routes. */
const DOCUMENT = new URL('../../../openapi.json', import.meta.url)

/** The document of the API, with the additions of domains from outside. @param parts written by `npm run openapi` */
export async function readDocument(parts: readonly URL[]): Promise<string> {
  const text = await readFile(DOCUMENT, 'utf8')
  if (parts.length === 0) return text
  return `${JSON.stringify(mergeDocuments(JSON.parse(text), await Promise.all(parts.map(readPart))), null, 2)}\n`
}

/** The document of the core, with what others add to it. */
export function mergeDocuments(core: unknown, parts: readonly unknown[]): any {
  return withoutUnused(withoutStrangers(parts.reduce(merge, core)))
}

/** Without what parts say of operations of plug-ins that are off: nothing gives these a name. */
function withoutStrangers(document: any): any {
  const paths = Object.entries<any>(document.paths).flatMap(([path, methods]) => {
    const own = Object.entries<any>(methods).filter(([, { operationId }]) => operationId !== undefined)
    return own.length > 0 ? [[path, Object.fromEntries(own)]] : []
  })
  return { ...document, paths: Object.fromEntries(paths) }
}

/**
 * The document without the schemas that nothing in it refers to. Several plug-ins may tell parts of one, such as their
 * kinds of mail, which only another plug-in uses.
 */
export function withoutUnused(document: any): any {
  const references = new Set(JSON.stringify(document).match(/"#\/components\/schemas\/[^"]+"/g))
  const schemas = Object.entries(document.components.schemas)
  const used = schemas.filter(([name]) => references.has(`"#/components/schemas/${name}"`))
  const left = { ...document, components: { ...document.components, schemas: Object.fromEntries(used) } }
  return used.length < schemas.length ? withoutUnused(left) : left
}

/** @throws Error that names the command which writes it */
async function readPart(part: URL): Promise<unknown> {
  const text = await readFile(part, 'utf8').catch(() => undefined)
  if (text !== undefined) return JSON.parse(text)
  throw new Error(
    `There is no ${part.pathname}: npm run openapi writes it, of a domain from outside DOMAINS=… npm run openapi`,
  )
}

/** Adds fields to objects, items to lists, and fields to these by their places, where they are not yet; existing ones do not change. */
export function merge(whole: unknown, part: unknown): unknown {
  if (Array.isArray(whole) && Array.isArray(part))
    return [...whole, ...part.filter((item) => !whole.some((known) => isDeepStrictEqual(known, item)))]
  if (Array.isArray(whole) && isObject(part)) return whole.map((item, at) => merge(item, part[at] ?? {}))
  if (!isObject(whole) || !isObject(part)) return part
  // A response that was shared is written out where more refusals are added to it.
  if ('$ref' in whole && !('$ref' in part)) return part
  const added = Object.entries(part).map(([key, value]) => [key, key in whole ? merge(whole[key], value) : value])
  return { ...whole, ...Object.fromEntries(added) }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
