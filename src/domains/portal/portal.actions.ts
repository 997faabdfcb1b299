import type { Scope, Tx } from '../../data/tx/scope.ts'
import type { Actor } from '../../kernel/actor.ts'
import { assertMatch, type Expected } from '../../kernel/expected.ts'
import { findCovered } from '../content/content.store.ts'
import { seedArticles } from '../content/first-articles.ts'
import { addressesOf } from '../files/files.rules.ts'
import { defaultPortal } from './default-portal.ts'
import { type ContactDraft, type Portal, SECTION_NAMES, type Section } from './portal.schemas.ts'
import {
  findSection,
  findSectionNaming,
  insertContactMessage,
  lockSection,
  saveSection,
  seedSection,
} from './portal.store.ts'

/** A section of the tenant's portal. A tenant that is older than portals reads the default one until it writes its own. */
export async function readSection<S extends Section>(scope: Scope, section: S): Promise<Portal[S]> {
  return ((await findSection(scope, { section }))?.content ?? defaultPortal[section]) as Portal[S]
}

/**
 * Replaces a section by content that has been checked.
 * @param tagOf what the ETag of a section's public answer holds
 * @throws PRECONDITION_FAILED
 */
export async function replaceSection<S extends Section>(
  tx: Tx,
  section: S,
  content: Portal[S],
  { ifMatch }: Expected = {},
  tagOf: (content: Portal[S]) => string = () => '',
): Promise<Portal[S]> {
  seedSection(tx, { section, content: JSON.stringify(defaultPortal[section]) })
  const before = await lockSection(tx, { section })
  if (ifMatch) assertMatch(tagOf(before!.content as Portal[S]), ifMatch)
  saveSection(tx, { section, content: JSON.stringify(content) })
  return content
}

/** Gives a new tenant its portal, and overwrites nothing. */
export function seedPortal(tx: Tx<Actor>): void {
  for (const section of SECTION_NAMES) seedSection(tx, { section, content: JSON.stringify(defaultPortal[section]) })
}

/** Gives the first tenant its portal and its blog, and overwrites nothing. */
export function seedFirstTenant(tx: Tx<Actor>): void {
  seedPortal(tx)
  seedArticles(tx)
}

/** Whether the cover of a published article, or a section of the portal, names a file. */
export async function isNamedInPublic(scope: Scope, filename: string): Promise<boolean> {
  const [article, section] = await Promise.all([
    findCovered(scope, { addresses: addressesOf(scope.tenantId, filename) }),
    findSectionNaming(scope, { filename }),
  ])
  return article !== undefined || section !== undefined
}

/** Keeps a message of a visitor. */
export async function receiveMessage(tx: Tx<Actor>, draft: ContactDraft) {
  const { email, name = null, message = null } = draft
  const { rows } = await insertContactMessage(tx, { email, name, message })
  return { accepted: true as const, email, submittedAt: rows[0]!.createdAt }
}
