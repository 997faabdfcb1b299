import { globSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

type Operation = { summary: string }
interface Document {
  paths: Record<string, Record<string, Operation>>
  webhooks: Record<string, unknown>
}

/** What each operation that writes does, as a module for the audit. */
export function summariesIn(document: Document): string {
  return moduleOf('SUMMARIES: Record<string, string>', summariesOf(document))
}

/** What each operation that writes does, by its method and route. A plug-in may only add an example to one of the core. */
export function summariesOf({ paths }: Pick<Document, 'paths'>): Record<string, string> {
  const writing = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations)
      .filter(([method, { summary }]) => method !== 'get' && summary)
      .map(([method, { summary }]) => [`${method.toUpperCase()} ${path.replaceAll(/{(\w+)}/g, ':$1')}`, summary]),
  )
  return Object.fromEntries(writing)
}

/** The types of events, for those who choose some of them. */
export function eventTypesIn({ webhooks }: Document): string {
  return moduleOf('EVENT_TYPES: readonly string[]', Object.keys(webhooks).sort())
}

/** A module with what the plug-ins that are here add to the console. */
function extensionsHere(): string {
  const plugins = fileURLToPath(new URL('../', import.meta.url))
  const paths = globSync('*/console/extension.ts', { cwd: plugins }).sort()
  const imports = paths.map((path, at) => `import extension${at} from '../../${path}'\n`)
  const list = paths.map((_, at) => `extension${at}`).join(', ')
  return `// Generated from the folders of plug-ins. Do not edit.
import type { Extension } from './extension.ts'
${imports.join('')}
export const extensions: readonly Extension[] = [${list}]
`
}

function moduleOf(declaration: string, value: unknown): string {
  return `// Generated from the document of the API. Do not edit.\nexport const ${declaration} = ${JSON.stringify(value, null, 2)}\n`
}

/** What is written for the types and the tests. The service makes its own for the plug-ins that are on. */
const generated: Record<string, (document: any) => string> = {
  'browser/lib/summaries.ts': summariesIn,
  'browser/lib/event-types.ts': eventTypesIn,
  'browser/extensions.ts': extensionsHere,
}
export default Object.fromEntries(
  Object.entries(generated).map(([path, textOf]) => [`src/plugins/console/${path}`, textOf]),
)
