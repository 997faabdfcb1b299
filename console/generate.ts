type Operation = { summary: string }
interface Document {
  paths: Record<string, Record<string, Operation>>
  webhooks: Record<string, unknown>
}

/** What each operation that writes does, as a module for the audit. */
export function summariesIn({ paths }: Document): string {
  const writing = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations)
      .filter(([method]) => method !== 'get')
      .map(([method, { summary }]) => [`${method.toUpperCase()} ${path.replaceAll(/{(\w+)}/g, ':$1')}`, summary]),
  )
  return moduleOf('SUMMARIES: Record<string, string>', Object.fromEntries(writing))
}

/** The types of events, for those who choose some of them. */
export function eventTypesIn({ webhooks }: Document): string {
  return moduleOf(
    "EVENT_TYPES: readonly import('../../client/operations.ts').EventType[]",
    Object.keys(webhooks).sort(),
  )
}

function moduleOf(declaration: string, value: unknown): string {
  return `// Generated from the document of the API. Do not edit.\nexport const ${declaration} = ${JSON.stringify(value, null, 2)}\n`
}
