import { type Language, titleOf, translate } from '#atrium'

/** A stored title: its facts, and its English text when it was written. */
interface Stored {
  type: string
  title: string
  /** null in rows from before facts existed */
  facts: unknown
  /** what the user is called whom it is about, if any; blank or null if they have left */
  userName: string | null
}

/** A notification in its reader's language, if its type is declared. */
export function told<Row extends Stored>(
  { facts, userName, ...row }: Row,
  language: Language,
): Omit<Row, 'facts' | 'userName'> {
  const user = userName || translate(language, 'former member')
  const title = facts ? titleOf(language, row.type, { ...facts, user }) : undefined
  return { ...row, title: title ?? row.title }
}
