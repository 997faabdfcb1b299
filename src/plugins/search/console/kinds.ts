import type { SearchResult } from '#console/lib/api.ts'
import { t } from '#console/lib/language.ts'
import type { Person } from '#console/lib/me.ts'
import { pageOf } from '#console/subjects.ts'

/** Kinds of things, as people call them. */
export const kindWords = (): Record<string, string> => ({
  task: t('Tasks'),
  project: t('Projects'),
  article: t('Articles'),
  person: t('People'),
  approval: t('Approvals'),
  file: t('Files'),
})

/** The page of what was found, below `/console/`; undefined if it has none that the person is offered. */
export function addressOf(person: Person, { type, id }: SearchResult): string | undefined {
  return pageOf(person, type === 'person' ? 'user' : type, id)
}
