import { columnsOf, find, list, lock, type PartOf, paginate, removeOldest, sql, write, writeReturning } from '#atrium'
import { everybody } from '#atrium/people'
import { mailFaults } from './mail.rules.ts'

const shown = columnsOf('mails', ['id', 'kind', 'recipient', 'status', 'attempts', 'lastError', 'createdAt'])

export const insertMail = write(
  (
    { insert },
    p: PartOf<'mails', 'key' | 'kind' | 'userId' | 'recipient' | 'locale' | 'sealed'> &
      Partial<PartOf<'mails', 'id' | 'newsFrom' | 'newsTo' | 'askedBy'>>,
  ) => insert('mails', p),
  { announces: 'mail' },
)

/** Addresses that differ in case, or in what follows a `+`, lead to one mailbox. */
const mailboxOf = (address: ReturnType<typeof sql<string>>) => sql`regexp_replace(lower(${address}), '\\+[^@]*@', '@')`

/** What people asked for in the last hour to one mailbox, the newest first, with the seconds until it leaves that hour. */
export const listAskedFor = list((from, p: { to: string; most: number }) =>
  from('mails')
    .select([
      'mails.askedBy',
      sql<number>`(3600 - extract(epoch from (clock_timestamp() - mails.created_at)))::float8`.as('seconds'),
    ])
    .where(mailboxOf(sql`mails.recipient`), '=', mailboxOf(sql`${p.to}::text`))
    .where('mails.askedBy', 'is not', null)
    .where('mails.createdAt', '>', sql<string>`clock_timestamp() - interval '1 hour'`)
    .orderBy('mails.createdAt', 'desc')
    .orderBy('mails.id', 'desc')
    .limit(p.most),
)

/** What has become of mails; those that are forgotten are left out. */
export const listStatuses = list((from, p: { ids: readonly number[] }) =>
  from('mails').select(['mails.id', 'mails.status']).where('mails.id', '=', sql<number>`any(${p.ids}::bigint[])`),
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
        dueAt: sql<string>`statement_timestamp()`,
        giveUpAt: sql<string>`statement_timestamp() + interval '1 day'`,
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

/**
 * How long a worker has a mail for itself, unless it says again that it is sending it. A killed worker says nothing, so
 * another one takes the mail after this time.
 */
const LEASE_SECONDS = 15
const LEASE = sql<string>`statement_timestamp() + make_interval(secs => ${sql.lit(LEASE_SECONDS)})`

/** Makes a mail that waits for longer than a lease due: nobody can be sending it. */
export const bringForward = write(
  ({ update }, p: { id: number }) =>
    update('mails')
      .set({ dueAt: sql<string>`statement_timestamp()` })
      .where('mails.id', '=', p.id)
      .where('mails.dueAt', '>', LEASE),
  { announces: 'mail' },
)

/** Whether a mail waits whose time has come. */
export const findDue = find((from, _: object) =>
  from('mails')
    .select('mails.id')
    .where('mails.status', '=', 'waiting')
    .where('mails.dueAt', '<=', sql<string>`clock_timestamp()`)
    .orderBy('mails.dueAt')
    .orderBy('mails.id')
    .limit(1),
)

/** Takes mails that are due, the longest waiting first, and counts the attempt. Others skip them. */
export const takeMails = writeReturning(({ update, from }, p: { most: number }) =>
  update('mails')
    .set((eb) => ({ attempts: eb('mails.attempts', '+', 1), dueAt: LEASE }))
    .where(
      // As an array, so that they are chosen once; a subquery may be run again, and would exceed its limit.
      sql<boolean>`mails.id = any(array(${from('mails')
        .select('mails.id')
        .where('mails.status', '=', 'waiting')
        .where('mails.dueAt', '<=', sql<string>`statement_timestamp()`)
        .orderBy('mails.dueAt')
        .orderBy('mails.id')
        .limit(p.most)
        .forUpdate()
        .skipLocked()}))`,
    )
    .returning(
      columnsOf('mails', ['id', 'key', 'kind', 'userId', 'recipient', 'locale', 'sealed', 'newsFrom', 'newsTo']),
    )
    .returning(columnsOf('mails', ['attempts', 'lastError', 'createdAt']))
    .returning(
      // From the time that the lease ends.
      sql<number>`((extract(epoch from mails.give_up_at - mails.due_at) + ${sql.lit(LEASE_SECONDS)}) * 1000)::float8`.as(
        'msLeft',
      ),
    ),
)
export type TakenMail = Awaited<ReturnType<typeof takeMails>>['rows'][number]

/** Keeps mails that are being sent from other workers. */
export const holdMails = write(({ update }, p: { ids: readonly number[] }) =>
  update('mails')
    .set({ dueAt: LEASE })
    .where('mails.id', '=', sql<number>`any(${p.ids}::bigint[])`)
    .where('mails.status', '=', 'waiting'),
)

/** What a mail said is removed when it has been sent. */
export const markSent = write(({ update }, p: { id: number }) =>
  update('mails')
    .set({ status: 'sent', sealed: null, lastError: null, endedAt: sql<string>`statement_timestamp()` })
    .where('mails.id', '=', p.id)
    .where('mails.status', '=', 'waiting'),
)

/** Only the worker that made the last attempt decides what its failure means. */
export const markFailed = write(({ update }, p: { id: number; attempts: number; lastError: string; pauseMs: number }) =>
  update('mails')
    .set({
      lastError: p.lastError,
      dueAt: sql<string>`statement_timestamp() + ${p.pauseMs} * interval '1 millisecond'`,
    })
    .where('mails.id', '=', p.id)
    .where('mails.attempts', '=', p.attempts)
    .where('mails.status', '=', 'waiting'),
)

/** What a dead mail said is kept, encrypted, so that it can be tried again. */
export const markDead = write(({ update }, p: { id: number; attempts: number; lastError: string }) =>
  update('mails')
    .set({ status: 'dead', lastError: p.lastError, endedAt: sql<string>`statement_timestamp()` })
    .where('mails.id', '=', p.id)
    .where('mails.attempts', '=', p.attempts)
    .where('mails.status', '=', 'waiting'),
)

export const removeMail = write(({ remove }, p: { id: number }) => remove('mails').where('mails.id', '=', p.id))

/** Mails to somebody name them by their address. */
export const removeMailsTo = write(({ remove, from }, p: { userId: number }) =>
  remove('mails').where((eb) =>
    eb.or([
      eb('mails.userId', '=', p.userId),
      // An invitation was mailed before there was a person.
      eb('mails.userId', 'is', null).and(
        sql`lower(mails.recipient)`,
        '=',
        everybody(from).select('users.emailKey').where('users.id', '=', p.userId),
      ),
    ]),
  ),
)

/** A waiting mail has no end. */
export const removeEnded = removeOldest('mails', 'endedAt', sql<string>`now() - interval '30 days'`)

/** How many mails wait and were given up, and for how many seconds the oldest has waited. */
export const countMails = find((from, _: object) =>
  from('mails')
    .select([
      sql<number>`count(*) filter (where mails.status = 'waiting')`.as('waiting'),
      sql<number>`count(*) filter (where mails.status = 'dead')`.as('dead'),
      sql<number>`coalesce(max(extract(epoch from (clock_timestamp() - mails.created_at)))
        filter (where mails.status = 'waiting'), 0)::float8`.as('oldest'),
    ])
    .where('mails.status', 'in', ['waiting', 'dead']),
)
