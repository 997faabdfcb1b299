import type { Language, PartOf } from '#atrium'

export type Reader = PartOf<'users', 'status' | 'deletedAt' | 'email' | 'emailVerifiedAt' | 'mail'>

/** When a person gets news by mail; undefined if they get none. */
export function mailOf({ status, deletedAt, email, emailVerifiedAt, mail }: Reader): 'at once' | 'daily' | undefined {
  const mayGet = status === 'active' && deletedAt === null && Boolean(email) && emailVerifiedAt !== null
  if (!mayGet || mail === 'never') return undefined
  return mail === 'daily' ? 'daily' : 'at once'
}

/** The language of a person's mail: their own, else that of the tenant. */
export function languageOf(own: string | null, ofTenant: Language): Language {
  if (own === null) return ofTenant
  return own === 'zh-CN' ? 'zh-CN' : 'en'
}

const QUARTER_MS = 900_000
/** Reminders are sent at eight, and belong to the mail of the same morning. */
const AFTER_REMINDERS_MS = 600_000

/**
 * When the next daily mail leaves: ten minutes past eight in the morning.
 * @param now ms since 1970
 * @param timeZone a name that Intl knows
 */
export function nextMorning(now: number, timeZone: string): number {
  const clock = new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })
  // Every time zone is so many quarters of an hour from UTC.
  let quarter = Math.floor((now - AFTER_REMINDERS_MS) / QUARTER_MS) * QUARTER_MS
  do quarter += QUARTER_MS
  while (clock.format(quarter) !== '08:00')
  return quarter + AFTER_REMINDERS_MS
}

/** The first and the last of the notifications of each person, in the order in which they came. */
export function rangesByPerson<Row extends { id: number; receiverId: number }>(rows: readonly Row[]) {
  return [...Map.groupBy(rows, ({ receiverId }) => receiverId).values()].map((own) => ({
    person: own[0]!,
    newsFrom: own[0]!.id,
    newsTo: own.at(-1)!.id,
  }))
}
