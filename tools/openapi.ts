import { readFile, writeFile } from 'node:fs/promises'
import { generate } from '../client/generate.ts'
import { buildDocument } from './openapi/document.ts'

/** `npm run openapi`: writes the document of the API, which the service serves, and the operations of the client. */
export const DOCUMENT = new URL('../openapi.json', import.meta.url)
export const OPERATIONS = new URL('../client/operations.ts', import.meta.url)

/** The document as it is committed. */
export async function documentText(): Promise<string> {
  return `${JSON.stringify(await buildDocument(), null, 2)}\n`
}

if (import.meta.main) {
  const before = await readFile(DOCUMENT, 'utf8').catch(() => '')
  const text = await documentText()
  if (text !== before) await writeFile(DOCUMENT, text)
  await writeFile(OPERATIONS, generate(JSON.parse(text)))
  console.log(text === before ? 'openapi.json is up to date' : 'openapi.json was written')
}
