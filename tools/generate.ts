import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { generate } from '../client/generate.ts'
import { eventTypesIn, summariesIn } from '../console/generate.ts'
import { readDocument } from '../src/http/docs/document.ts'

/**
 * What follows from the documents of the core and of the plug-ins that are here: the operations of the client, and what
 * the console knows of them. It is not committed: `npm ci` writes it, and so do the checks and the tests. The service
 * makes its own for the plug-ins that are on.
 */
const ROOT = new URL('../', import.meta.url)
const GENERATED = {
  'client/operations.ts': generate,
  'console/lib/summaries.ts': summariesIn,
  'console/lib/event-types.ts': eventTypesIn,
}

/** The document of the API with all plug-ins that are here. */
export function readWhole(): Promise<string> {
  const parts = globSync('src/plugins/*/openapi.json', { cwd: fileURLToPath(ROOT) }).sort()
  return readDocument(parts.map((path) => new URL(path, ROOT)))
}

/** Writes those that differ. */
export async function writeGenerated(): Promise<void> {
  const document = JSON.parse(await readWhole())
  for (const [path, textOf] of Object.entries(GENERATED)) {
    const file = new URL(path, ROOT)
    const text = textOf(document)
    if (!existsSync(file) || readFileSync(file, 'utf8') !== text) writeFileSync(file, text)
  }
}

if (import.meta.url === pathToFileURL(process.argv[1]!).href) await writeGenerated()
