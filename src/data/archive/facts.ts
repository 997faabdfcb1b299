/**
 * What a table is beyond its columns, as its migration says with `protect`: db/migrations/0001_tenants.sql explains each.
 * It is read from the database, so that it holds where the code of a plug-in is gone.
 */
export interface Facts {
  withheld?: true | 'not imported' | { columns?: string[]; rows?: string }
  sealed?: Record<string, string>
  secretOf?: string
  references?: Record<string, SoftReference>
}

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
