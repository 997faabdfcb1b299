import { faults, violationsOf } from '#atrium'
import type { PublicText } from '#atrium/files'
import { type Portal, SECTIONS, type Section } from './portal.schemas.ts'

/** The content as the section wants it, without what it does not know. @throws VALIDATION_FAILED listing all that is wrong */
export function checkSection<S extends Section>(section: S, content: unknown): Portal[S] {
  const checked = SECTIONS[section].safeParse(content)
  if (checked.success) return checked.data as Portal[S]
  throw faults.validation(violationsOf('body', content, checked.error.issues))
}

/** The fields of a section that hold the address of a picture. */
const PICTURES = new Set(['icon', 'avatar'])

/** Each text of a section, and where it stands. */
export function textsOf(content: unknown, path = 'body', field = ''): PublicText[] {
  if (typeof content === 'string') return [{ path, text: content, isPicture: PICTURES.has(field) }]
  if (typeof content !== 'object' || content === null) return []
  return Object.entries(content).flatMap(([key, value]) => textsOf(value, `${path}.${key}`, key))
}

/** The questions of the portal that is there from the start which speak of plans. */
const ABOUT_PLANS = new Set([2, 4, 5])

/**
 * What a portal says that nobody has written, without what would be a claim about its tenant: who praises it, how many
 * it serves, who works there, what it sells. A stranger would take that for true.
 */
export function withoutClaims(portal: Portal): Portal {
  return {
    ...portal,
    home: { ...portal.home, stats: [], testimonials: [] },
    pricing: [],
    faq: portal.faq.filter(({ id }) => !ABOUT_PLANS.has(id)),
    about: { ...portal.about, stats: [], team: [], milestones: [] },
  }
}
