/**
 * A column that names rows and has no foreign key:
 * - by the name of their table: their id, or an array of ids
 * - `by`: the id of a thing of a kind, which another column names
 * - `upTo`: a position in a table: the highest id that was dealt with
 * - `text`: an id as text, if a condition in SQL about the row `r` holds; or after a prefix, in texts that begin with it
 */
export type SoftReference =
  | string
  | { by: string }
  | { upTo: string }
  | { text: string; when: string }
  | { text: string; prefix: string }

/** By table and column, with the names that they have in the database. */
export type SoftReferences = Readonly<Record<string, Readonly<Record<string, SoftReference>>>>

/** Those of what the data layer keeps for all domains. */
const declared = new Map<string, Record<string, SoftReference>>()
declareReferences({
  activities: {
    actor_id: 'users',
    subject_id: { by: 'subject_type' },
    old_value: { text: 'users', when: namesPerson() },
    new_value: { text: 'users', when: namesPerson() },
  },
  outbox: { resource_id: { by: 'resource_type' }, receivers: 'users' },
  unnumbered_events: { actor_id: 'users', subject_id: { by: 'subject_type' } },
})

/** Columns whose texts and JSON may name ids that cannot be followed. */
export const UNFOLLOWED = [
  'ids in events.data, outbox.facts and notifications.facts',
  'ids in paths of audit_operations',
  'ids in texts that people wrote',
]

function namesPerson(): string {
  return `r.field_name in ('assigneeId', 'approverId') or r.action in ('PROJECT_OWNER_CHANGED', 'APPROVAL_HANDED_OVER')`
}

export function declareReferences(references: SoftReferences): void {
  for (const [table, columns] of Object.entries(references)) declared.set(table, { ...declared.get(table), ...columns })
}

export function softReferencesOf(table: string): Record<string, SoftReference> {
  return declared.get(table) ?? {}
}

/** Kinds of things whose table is not their name with an s. */
const OTHER_TABLES: Record<string, string> = { category: 'categories', order: 'payment_orders' }

/** The table of a kind of thing, as events and notifications name it. */
export function tableOfKind(kind: string): string {
  return OTHER_TABLES[kind] ?? `${kind}s`
}
