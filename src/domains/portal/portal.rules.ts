import { faults } from '../../kernel/fault.ts'
import { violationsOf } from '../../kernel/violations.ts'
import { type Portal, SECTIONS, type Section } from './portal.schemas.ts'

/** The content as the section wants it, without what it does not know. @throws VALIDATION_FAILED listing all that is wrong */
export function checkSection<S extends Section>(section: S, content: unknown): Portal[S] {
  const checked = SECTIONS[section].safeParse(content)
  if (checked.success) return checked.data as Portal[S]
  throw faults.validation(violationsOf('body', content, checked.error.issues))
}
