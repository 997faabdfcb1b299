import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { generate } from '../client/generate.ts'
import { loadDomains } from '../src/load-domains.ts'
import { buildDocument } from './openapi/document.ts'
import { additions } from './openapi/part.ts'
import { offlineConfig } from './openapi/routes.ts'
import type { Json } from './openapi/schemas.ts'

/**
 * `npm run openapi`: writes the document of the API, which the service serves, and the operations of the client; and
 * into the folders of domains from outside what they add: those of DOMAINS, or else the example's. With DOMAINS, `--out
 * FOLDER` writes the whole document and the operations of its client somewhere else.
 */
export const DOCUMENT = new URL('../openapi.json', import.meta.url)
export const OPERATIONS = new URL('../client/operations.ts', import.meta.url)
export const SUMMARIES = new URL('../console/lib/summaries.ts', import.meta.url)

/** What each operation that writes does, as a module for the audit of the console. */
export function summariesOf(document: Json): string {
  const lines = Object.entries<Json>(document.paths).flatMap(([path, operations]) =>
    Object.entries<Json>(operations)
      .filter(([method]) => method !== 'get')
      .map(
        ([method, { summary }]) =>
          `  '${method.toUpperCase()} ${path.replaceAll(/{(\w+)}/g, ':$1')}': ${quoted(summary)},`,
      ),
  )
  return `// Generated from openapi.json by \`npm run openapi\`. Do not edit.\n\nexport const SUMMARIES: Record<string, string> = {\n${lines.join('\n')}\n}\n`
}

/** As the formatter writes it. */
const quoted = (text: string) => (text.includes("'") ? JSON.stringify(text) : `'${text}'`)

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

/** What each domain adds to the document of those before it. @returns the whole document */
async function renewParts(paths: readonly string[]): Promise<Json> {
  let document = await buildDocument(offlineConfig(''))
  for (const [at] of paths.entries()) {
    const config = offlineConfig(paths.slice(0, at + 1).join(','))
    const whole = await buildDocument(config)
    const file = (await loadDomains(config.domains)).at(-1)!.document
    if (file) await renew(file, textOf(additions(document, whole)))
    document = whole
  }
  return document
}

if (import.meta.main) {
  const { out } = parseArgs({ options: { out: { type: 'string' } } }).values
  const { domains } = offlineConfig()
  if (domains.length === 0) {
    const text = textOf(await buildDocument(offlineConfig('')))
    await renew(DOCUMENT, text)
    await writeFile(OPERATIONS, generate(JSON.parse(text)))
    await writeFile(SUMMARIES, summariesOf(JSON.parse(text)))
  }
  const document = await renewParts(domains.length ? domains : ['examples/labels'])
  if (out !== undefined) {
    await mkdir(out, { recursive: true })
    const folder = pathToFileURL(join(out, '/'))
    await renew(new URL('openapi.json', folder), textOf(document))
    await renew(new URL('operations.ts', folder), generate(document))
  }
}
