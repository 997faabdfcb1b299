import { z } from 'zod'
import type { Route } from '../routes.ts'

const HALF_A_YEAR_MS = 182 * 86_400_000

/** Where clients have too little time or no word of what is to go (contract 10.7). @returns a sentence for each */
export function findHastyDeprecations(routes: readonly Route[], changelog: string): string[] {
  return routes.flatMap(({ operationId, deprecated, schema }) => {
    const marked = markedIn(schema)
    if (!deprecated)
      return marked.map((name) => `${operationId} marks ${name}, and its config.deprecated does not name it`)
    const { since, until, fields = [] } = deprecated
    const earliest = Date.parse(since) + HALF_A_YEAR_MS
    return [
      ...(Date.parse(until) >= earliest
        ? []
        : [
            `${operationId} is deprecated for less than half a year: let it stay until ${new Date(earliest).toISOString().slice(0, 10)} at least`,
          ]),
      ...(changelog.includes(operationId) ? [] : [`${operationId} is deprecated, and CHANGELOG.md does not name it`]),
      ...fields
        .filter((name) => !marked.includes(name))
        .map((name) => `${operationId} has no field ${name} that its schema marks with .meta({ deprecated: true })`),
    ]
  })
}

/** The fields that a schema marks as deprecated. */
function markedIn({ params: _, querystring, body, response }: Route['schema']): string[] {
  const all = [querystring, body, ...Object.values(response)].filter((schema) => schema instanceof z.ZodType)
  return all.flatMap((schema) => {
    const marked: string[] = []
    z.toJSONSchema(schema, {
      unrepresentable: 'any',
      override({ jsonSchema, path }) {
        if (jsonSchema.deprecated) marked.push(String(path.at(-1)))
      },
    })
    return marked
  })
}
