import type { OperationNode } from 'kysely'
import { everyNode } from './nodes.ts'

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

function firstEffect(query: OperationNode): string | undefined {
  for (const { kind, modifier, sqlFragments } of everyNode(query)) {
    if (CHANGES[kind]) return CHANGES[kind]
    if (kind === 'SelectModifierNode' && /^For/.test(modifier ?? '')) return 'locks rows'
    if (kind === 'RawNode') {
      const effect = sqlFragments.map((text: string) => EFFECTS.exec(text)?.[0]).find(Boolean)
      if (effect) return `calls ${effect}`
    }
  }
  return undefined
}
