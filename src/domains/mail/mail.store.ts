import { columnsOf, lock, type PartOf, paginate, sql, write } from '#atrium'
import { mailFaults } from './mail.rules.ts'

const shown = columnsOf('mails', ['id', 'kind', 'recipient', 'status', 'attempts', 'lastError', 'createdAt'])

export const insertMail = write(
  ({ insert }, p: PartOf<'mails', 'key' | 'kind' | 'userId' | 'recipient' | 'locale' | 'sealed'>) => insert('mails', p),
  { announces: 'mail' },
)

export const lockMail = lock((from, p: { id: number }) =>
  from('mails').select(shown).where('mails.id', '=', p.id).forUpdate(),
).or(mailFaults.notFound)

/** Gives a dead mail another day, from the beginning. */
export const reviveMail = write(
  ({ update }, p: { id: number }) =>
    update('mails')
      .set({
        status: 'waiting',
        attempts: 0,
        dueAt: sql<string>`clock_timestamp()`,
        giveUpAt: sql<string>`clock_timestamp() + interval '1 day'`,
        endedAt: null,
      })
      .where('mails.id', '=', p.id),
  { announces: 'mail' },
)

export const listMails = paginate(
  (from, p: { status?: 'waiting' | 'sent' | 'dead' }) =>
    from('mails')
      .select(shown)
      .$if(p.status !== undefined, (query) => query.where('mails.status', '=', p.status!)),
  'mails.id',
)
