import { columnsOf, find, list, lock, paginate, sql, write, writeReturning } from '#atrium'
import { active } from '#atrium/people'
import { holdersOf } from '#atrium/roles'
import type { Section } from './portal.schemas.ts'

const columns = ['portalSections.content', 'portalSections.written'] as const

export const findSection = find((from, p: { section: Section }) =>
  from('portalSections').select(columns).where('portalSections.section', '=', p.section),
)

/** All sections that contain the name of a file; no such name is part of another. */
export const listSectionsNaming = list((from, p: { filename: string }) =>
  from('portalSections')
    .select('portalSections.section')
    .where(sql<boolean>`strpos(portal_sections.content::text, ${p.filename}) > 0`)
    .orderBy('portalSections.section'),
)

/** Keeps other transactions from replacing the section until this one ends. */
export const lockSection = lock((from, p: { section: Section }) =>
  from('portalSections').select(columns).where('portalSections.section', '=', p.section).forUpdate(),
)

/** `content` is JSON text: an array as a value would become a PostgreSQL array. */
interface SectionRow {
  section: Section
  content: string
}

export const saveSection = write(
  ({ insert }, p: SectionRow) =>
    insert('portalSections', { ...p, written: true }).onConflict((conflict) =>
      conflict.columns(['tenantId', 'section']).doUpdateSet({
        content: sql<string>`excluded.content`,
        written: sql<boolean>`excluded.written`,
        updatedAt: sql<string>`excluded.updated_at`,
      }),
    ),
  { announces: 'content' },
)

/** Inserts a missing section with the content that readers already see, so that it can be locked. */
export const seedSection = write(({ insert }, p: SectionRow) =>
  insert('portalSections', p).onConflict((conflict) => conflict.doNothing()),
)

const messageColumns = columnsOf('contactMessages', ['id', 'email', 'name', 'message', 'handled', 'createdAt'])

export const insertContactMessage = writeReturning(
  ({ insert }, p: { email: string; name: string | null; message: string | null }) =>
    insert('contactMessages', p).returning(['contactMessages.id', 'contactMessages.createdAt']),
)

export const listContactMessages = paginate(
  (from, _: object) => from('contactMessages').select(messageColumns),
  'contactMessages.id',
  'newest',
  { long: { text: ['message'] } },
)

/** People who are notified of a message. */
export const listMessageReaders = list((from, _: object) =>
  active(from).select('users.id').where('users.id', 'in', holdersOf(from, 'content:update')).orderBy('users.id'),
)

export const saveHandled = writeReturning(({ update }, p: { id: number; handled: boolean }) =>
  update('contactMessages')
    .set({ handled: p.handled })
    .where('contactMessages.id', '=', p.id)
    .returning(messageColumns),
)

export const removeContactMessage = writeReturning(({ remove }, p: { id: number }) =>
  remove('contactMessages').where('contactMessages.id', '=', p.id),
)
