import { faults, violationsOf } from '#atrium'
import type { PublicText } from '#atrium/files'
import { type Portal, SECTIONS, type Section } from './portal.schemas.ts'

/** The valid content of a section, without unknown fields. @throws VALIDATION_FAILED listing all errors */
export function checkSection<S extends Section>(section: S, content: unknown): Portal[S] {
  const checked = SECTIONS[section].safeParse(content)
  if (checked.success) return checked.data as Portal[S]
  throw faults.validation(violationsOf('body', content, checked.error.issues))
}

/** The fields of a section that hold the address of a picture. */
const PICTURES = new Set(['icon', 'avatar'])

/** Each text of a section, with its path. */
export function textsOf(content: unknown, path = 'body', field = ''): PublicText[] {
  if (typeof content === 'string') return [{ path, text: content, isPicture: PICTURES.has(field) }]
  if (typeof content !== 'object' || content === null) return []
  return Object.entries(content).flatMap(([key, value]) => textsOf(value, `${path}.${key}`, key))
}

/**
 * The default portal without claims about the tenant: praise, numbers of customers, staff, products. A visitor would
 * believe them.
 * @param neutral sections that fit any organization
 */
export function withoutClaims(portal: Portal, neutral: Partial<Portal>): Portal {
  return { ...portal, home: { ...portal.home, stats: [], testimonials: [] }, pricing: [], ...neutral }
}
