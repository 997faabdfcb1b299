import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { generate } from '../client/generate.ts'
import { readDocument } from '../src/http/docs/document.ts'
import { defaultsOfPlugins, filesOfPlugins } from './of-plugins.ts'

/**
 * What follows from the documents of the core and of the plug-ins that are here: the operations of the client, and what a
 * plug-in makes of them, which its `generate.ts` exports. Not committed: the checks, tests and what needs it write it.
 */
const ROOT = new URL('../', import.meta.url)
const GENERATED: Record<string, (document: any) => string> = Object.assign(
  { 'client/operations.ts': generate },
  ...(await defaultsOfPlugins('generate.ts')),
)

/** The document of the API with all plug-ins that are here. */
export function readWhole(): Promise<string> {
  return readDocument(filesOfPlugins('openapi.json').map((path) => new URL(path, ROOT)))
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

if (import.meta.main) await writeGenerated()
