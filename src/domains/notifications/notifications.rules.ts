import { type Language, titleOfStored } from '#atrium'

/** A stored title: its facts, and its English text when it was written. */
interface Stored {
  type: string
  title: string
  /** null in rows from before facts existed */
  facts: unknown
}

/** A notification in its reader's language, if its type is declared. */
export function told<Row extends Stored>({ facts, ...row }: Row, language: Language): Omit<Row, 'facts'> {
  const title = facts ? titleOfStored(language, row.type, facts as Record<string, unknown>) : undefined
  return { ...row, title: title ?? row.title }
}
