type Operation = { summary: string }
interface Document {
  paths: Record<string, Record<string, Operation>>
  webhooks: Record<string, unknown>
}

/** What each operation that writes does, as a module for the audit. */
export function summariesIn(document: Document): string {
  return moduleOf('SUMMARIES: Record<string, string>', summariesOf(document))
}

/** What each operation that writes does, by its method and route. */
export function summariesOf({ paths }: Pick<Document, 'paths'>): Record<string, string> {
  const writing = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations)
      .filter(([method]) => method !== 'get')
      .map(([method, { summary }]) => [`${method.toUpperCase()} ${path.replaceAll(/{(\w+)}/g, ':$1')}`, summary]),
  )
  return Object.fromEntries(writing)
}

/** The types of events, for those who choose some of them. */
export function eventTypesIn({ webhooks }: Document): string {
  return moduleOf(
    "EVENT_TYPES: readonly import('../../client/operations.ts').EventType[]",
    Object.keys(webhooks).sort(),
  )
}

/** A module with the extensions of these files, by their paths from the root of the repository. */
export function extensionsAt(paths: readonly string[]): string {
  const imports = paths.map((path, at) => `import extension${at} from '../${path}'\n`)
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
