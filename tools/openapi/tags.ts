import type { Domain } from '../../src/atrium/domain.ts'
import type { Json } from './schemas.ts'

/** The groups of operations, as the domains declare them. */
export function openTags(domains: readonly Domain[]) {
  const declared = domains.flatMap(({ tags = {} }) => Object.entries(tags))
  const starts = declared
    .flatMap(([name, { paths }]) => paths.map((start) => ({ name, start })))
    .sort((a, b) => b.start.length - a.start.length)

  const used = new Set<string>()
  return {
    /** Those that have an operation. */
    list: () =>
      declared.filter(([name]) => used.has(name)).map(([name, { description }]): Json => ({ name, description })),
    /** The group of a path: the longest prefix wins. @throws if none matches */
    of(path: string): string {
      const fitting = starts.find(({ start }) => path === start || path.startsWith(`${start}/`))
      if (!fitting) throw new Error(`${path} has no group in the document: let its domain declare one in \`tags\``)
      used.add(fitting.name)
      return fitting.name
    },
  }
}
