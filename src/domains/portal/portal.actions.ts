import {
  type Actor,
  assertMatch,
  type Expected,
  FIRST_TENANT,
  fail,
  type Language,
  notFound,
  type Scope,
  type Tx,
} from '#atrium'
import { type FileHolder, publishFiles } from '#atrium/files'
import { defaultPortal, neutralPortal } from './default-portal.ts'
import { textsOf, withoutClaims } from './portal.rules.ts'
import type { ContactDraft, ContactMessageView, Portal, Section } from './portal.schemas.ts'
import {
  findSection,
  insertContactMessage,
  listMessageReaders,
  listSectionsNaming,
  lockSection,
  removeContactMessage,
  saveHandled,
  saveSection,
  seedSection,
} from './portal.store.ts'

/** The reader of a section: their language, and whether they belong to the tenant. */
export interface Reader {
  language: Language
  isMember: boolean
}

/** A section of the tenant's portal, or the default if the tenant has not written it. */
export async function readSection<S extends Section>(scope: Scope, section: S, reader: Reader): Promise<Portal[S]> {
  return readable(scope, section, await findSection(scope, { section }), reader)
}

function readable<S extends Section>(
  { tenantId }: Scope,
  section: S,
  stored: Awaited<ReturnType<typeof findSection>>,
  { language, isMember }: Reader,
): Portal[S] {
  if (stored?.written) return stored.content as Portal[S]
  const isWhole = isMember || tenantId === FIRST_TENANT
  const portal = defaultPortal(language)
  return (isWhole ? portal : withoutClaims(portal, neutralPortal(language)))[section]
}

/**
 * Replaces a section with checked content. Files that it names become public.
 * @param tagOf the ETag content of a section's public answer in the caller's language
 * @throws PRECONDITION_FAILED, NOT_FOUND (file), PERMISSION_DENIED, VALIDATION_FAILED
 */
export async function replaceSection<S extends Section>(
  tx: Tx,
  section: S,
  content: Portal[S],
  { ifMatch }: Expected = {},
  tagOf: (content: Portal[S]) => string = () => '',
  language: Language = 'en',
): Promise<Portal[S]> {
  seedSection(tx, { section, content: JSON.stringify(defaultPortal('en')[section]) })
  const before = await lockSection(tx, { section })
  if (ifMatch) assertMatch(tagOf(readable(tx, section, before, { language, isMember: true })), ifMatch)
  const known = new Set(textsOf(before?.content).map(({ text }) => text))
  await publishFiles(
    tx,
    textsOf(content).filter(({ text }) => !known.has(text)),
  )
  saveSection(tx, { section, content: JSON.stringify(content) })
  tx.record({ event: 'portal.updated', subject: tx.tenantId, data: { section } })
  return content
}

/** Whether a section of the portal names a file. */
export async function isNamedInPortal(scope: Scope, filename: string): Promise<boolean> {
  return (await listSectionsNaming(scope, { filename })).length > 0
}

/** The sections of the portal that name a file. */
export const sections: FileHolder = {
  columns: ['portalSections.content'],
  async usesOf(scope, filename) {
    const message = 'the section {section} of the portal names it'
    return (await listSectionsNaming(scope, { filename })).map(({ section }) => ({ path: 'portal', section, message }))
  },
}

/** Stores a visitor's message and notifies the editors of the tenant's pages. */
export async function receiveMessage(tx: Tx<Actor>, draft: ContactDraft) {
  const { email, name = null, message = null } = draft
  const [{ rows }, readers] = await Promise.all([
    insertContactMessage(tx, { email, name, message }),
    listMessageReaders(tx, {}),
  ])
  const { id, createdAt } = rows[0]!
  tx.record({ event: 'contact_message.received', subject: id, data: {} })
  tx.notify({
    type: 'CONTACT_RECEIVED',
    facts: { email },
    resourceType: 'contact_message',
    resourceId: id,
    receivers: readers.map((reader) => reader.id),
  })
  return { accepted: true as const, email, submittedAt: createdAt }
}

/** Marks a message as handled, or as open again. @throws NOT_FOUND */
export async function handleMessage(tx: Tx, id: number, handled: boolean): Promise<ContactMessageView> {
  const { rows } = await saveHandled(tx, { id, handled })
  const message = rows[0] ?? fail(messageNotFound())
  tx.record({ event: 'contact_message.handled', subject: id, data: { handled } })
  return message
}

/** Deletes a message. @throws NOT_FOUND */
export async function deleteMessage(tx: Tx, id: number): Promise<void> {
  const { affected } = await removeContactMessage(tx, { id })
  if (affected === 0) throw messageNotFound()
  tx.record({ event: 'contact_message.deleted', subject: id, data: {} })
}

const messageNotFound = notFound('Contact message')
