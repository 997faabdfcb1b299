import { type Language, titleOfStored } from '#atrium'

/** What is stored of a title: the facts that fill it, and how it read in English when it was written. */
interface Stored {
  type: string
  title: string
  /** null in rows that are older than facts */
  facts: unknown
}

/** A notification as its reader is told: in their language, where its type is declared. */
export function told<Row extends Stored>({ facts, ...row }: Row, language: Language): Omit<Row, 'facts'> {
  const title = facts ? titleOfStored(language, row.type, facts as Record<string, unknown>) : undefined
  return { ...row, title: title ?? row.title }
}
