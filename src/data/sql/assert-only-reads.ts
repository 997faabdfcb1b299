import type { OperationNode } from 'kysely'

/**
 * A statement that was declared as a read travels on connections that many requests share, and commits by itself. So
 * one that locks or changes is refused when it is built: it needs `lock`, `lockAll` or a verb that writes.
 *
 * @throws Error naming what it does and the statement
 */
export function assertOnlyReads(query: OperationNode, sql: string): void {
  const found = firstEffect(query)
  if (found)
    throw new Error(`A statement declared by find or list ${found}; declare it by lock, lockAll or write: ${sql}`)
}

const CHANGES: Record<string, string> = {
  InsertQueryNode: 'inserts rows',
  UpdateQueryNode: 'updates rows',
  DeleteQueryNode: 'deletes rows',
  MergeQueryNode: 'merges rows',
}
/** Functions that lock or change, called in raw SQL. */
const EFFECTS = /\b(pg_(try_)?advisory\w*|set_config|prune_\w+|must)\s*\(|\b(for (no key )?update|for (key )?share)\b/i

function firstEffect(node: unknown): string | undefined {
  if (Array.isArray(node)) {
    for (const inner of node) {
      const found = firstEffect(inner)
      if (found) return found
    }
    return undefined
  }
  if (typeof node !== 'object' || node === null) return undefined
  const { kind, modifier, sqlFragments } = node as { kind?: string; modifier?: string; sqlFragments?: string[] }
  if (kind && CHANGES[kind]) return CHANGES[kind]
  if (kind === 'SelectModifierNode' && /^For/.test(modifier ?? '')) return 'locks rows'
  if (kind === 'RawNode') {
    const effect = sqlFragments?.map((text) => EFFECTS.exec(text)?.[0]).find(Boolean)
    if (effect) return `calls ${effect}`
  }
  return firstEffect(Object.values(node))
}
