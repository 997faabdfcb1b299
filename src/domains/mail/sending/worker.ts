import { setTimeout as sleep } from 'node:timers/promises'
import {
  type Database,
  everyTenant,
  isUnavailable,
  startSweep,
  system,
  type TenantId,
  type Tx,
  transact,
  whileNeeded,
} from '#atrium'
import { pauseAfter, type SmtpFailure, type Trouble, troubleOf } from '../mail.rules.ts'
import {
  findDue,
  holdMails,
  markDead,
  markFailed,
  markSent,
  removeMail,
  type TakenMail,
  takeMails,
} from '../mail.store.ts'
import type { NewsCollector } from '../news/collect.ts'
import type { Compose } from './compose.ts'
import type { Post } from './post.ts'

/** How attempts have ended since the start. */
export type MailTally = Record<'sent' | Trouble, number>

export interface MailWorker {
  tally: MailTally
  /** Takes no more mails, and waits a little for those that are being sent. */
  stop(): Promise<void>
}

export interface MailParts {
  compose: Compose
  news: NewsCollector
  post: Post
  /** how many mails are sent at the same time */
  most: number
}

type Outcome = 'sent' | 'dropped' | { trouble: Trouble; reason: string }

/** Mails of processes that were killed before their commit was signalled, and those whose pause is over. */
const SWEEP_MS = 5000
/** Well within the lease. */
const BEAT_MS = 5000
/** A server may take long to say yes, and one that says it after we have left gets the mail twice. */
const LONGEST_MS = 120_000
const FAREWELL_MS = 4000
const UNMARKED_MS = 1000
/** The clock of the database may be behind ours. */
const LATER_MS = 50
/** Of what the server says. */
const LONGEST_REASON = 500

/**
 * Sends what waits in the outboxes of all tenants: `most` mails at the same time, half of these for one tenant. Tenants
 * take turns. A commit with mail starts it immediately; a sweep finds the rest.
 *
 * A mail is taken for 15 seconds, and kept by a heartbeat while it is sent, so a killed process holds it no longer. It is
 * marked after the server has taken it: if the process is killed between the two, it is sent again, with the same
 * Message-ID.
 */
export function startMailWorker(database: Database, { compose, news, post, most }: MailParts): MailWorker {
  const { log } = database
  const perTenant = Math.ceil(most / 2)
  /** tenants whose mail may be due, by whose turn is next */
  const turns = new Set<TenantId>()
  const taking = new Set<TenantId>()
  const inHand = new Map<TenantId, Set<number>>()
  const ending = new AbortController()
  const tally: MailTally = { sent: 0, server: 0, later: 0, refused: 0 }
  let free = most
  let isStopping = false

  const stopListening = [
    database.announcements.subscribe((announcement, tenantId) => {
      if (announcement === 'mail') giveTurn(tenantId)
    }),
    database.inboxSignal.subscribe((tenantId) => void news.collect(tenantId)),
  ]
  const sweep = startSweep(database, { what: 'the outbox of mails', pause: SWEEP_MS }, async (stopping) => {
    for await (const scope of everyTenant(database, stopping)) {
      const [due, isNeeded] = await Promise.all([findDue(scope, {}), news.isNeeded(scope)])
      if (due) giveTurn(scope.tenantId)
      if (isNeeded) void news.collect(scope.tenantId)
    }
  })
  const heartbeat = whileNeeded(BEAT_MS, () => inHand.size > 0, hold)

  function giveTurn(tenantId: TenantId): void {
    turns.add(tenantId)
    startTurns()
  }

  function startTurns(): void {
    for (const tenantId of turns) {
      const room = Math.min(free, perTenant - (inHand.get(tenantId)?.size ?? 0))
      if (isStopping || free === 0) return
      if (room <= 0 || taking.has(tenantId)) continue
      turns.delete(tenantId)
      void takeTurn(tenantId, room)
    }
  }

  /** Takes at most `room` mails. If there may be more, the tenant goes to the end of the line. */
  async function takeTurn(tenantId: TenantId, room: number): Promise<void> {
    taking.add(tenantId)
    free -= room
    const mails = await take(tenantId, room)
    taking.delete(tenantId)
    free += room - mails.length
    if (mails.length === room) turns.add(tenantId)
    for (const mail of mails) void deliver(tenantId, mail)
    startTurns()
  }

  async function take(tenantId: TenantId, room: number): Promise<TakenMail[]> {
    try {
      return await inTenant(tenantId, async (tx) => (await takeMails(tx, { most: room })).rows)
    } catch (error) {
      log.warn({ err: String(error), tenantId }, 'mails could not be taken; the next sweep tries again')
      return []
    }
  }

  async function deliver(tenantId: TenantId, mail: TakenMail): Promise<void> {
    const held = inHand.get(tenantId) ?? new Set()
    inHand.set(tenantId, held.add(mail.id))
    heartbeat.start()
    const outcome = await attempt(tenantId, mail)
    await settle(tenantId, mail, outcome)
    held.delete(mail.id)
    if (held.size === 0) inHand.delete(tenantId)
    free++
    startTurns()
  }

  async function attempt(tenantId: TenantId, mail: TakenMail): Promise<Outcome> {
    if (mail.msLeft <= 0) return { trouble: 'refused', reason: mail.lastError ?? 'It could not be sent for a day' }
    try {
      const message = await compose(tenantId, mail)
      if (!message) return 'dropped'
      await post.send(message, AbortSignal.any([ending.signal, AbortSignal.timeout(LONGEST_MS)]))
      tally.sent++
      return 'sent'
    } catch (error) {
      const trouble = troubleOf(error as SmtpFailure)
      tally[trouble]++
      return { trouble, reason: reasonOf(error as Error) }
    }
  }

  /** Writes down how an attempt ended. While the database is away it tries again, so that no mail is sent twice for it. */
  async function settle(tenantId: TenantId, mail: TakenMail, outcome: Outcome): Promise<void> {
    for (;;)
      try {
        const pauseMs = await inTenant(tenantId, async (tx) => write(tx, mail, outcome))
        // A busy sweep comes late.
        if (pauseMs !== undefined) setTimeout(() => giveTurn(tenantId), pauseMs + LATER_MS).unref()
        return
      } catch (error) {
        const isOver = ending.signal.aborted || !isUnavailable(error as Error)
        if (isOver)
          return log.error(
            { err: String(error), tenantId, mailId: mail.id },
            'the outcome of a mail is not written down',
          )
        await sleep(UNMARKED_MS, undefined, { ref: false })
      }
  }

  async function hold(): Promise<void> {
    for (const [tenantId, held] of inHand)
      await inTenant(tenantId, async (tx) => holdMails(tx, { ids: [...held] })).catch(() => {})
  }

  function inTenant<T>(tenantId: TenantId, action: (tx: Tx<any>) => Promise<T>): Promise<T> {
    return transact(database, { tenantId, actor: system, requestId: 'mail' }, action)
  }

  return {
    tally,
    async stop() {
      isStopping = true
      for (const stop of stopListening) stop()
      news.stop()
      await sweep.stop()
      const end = performance.now() + FAREWELL_MS
      while (free < most && performance.now() < end) await sleep(20)
      ending.abort()
      while (free < most && performance.now() < end + UNMARKED_MS) await sleep(20)
      heartbeat.stop()
      post.close()
    },
  }
}

/** @returns after how many ms the mail is tried again, if it is */
function write(tx: Tx<any>, { id, attempts, msLeft }: TakenMail, outcome: Outcome): number | undefined {
  if (outcome === 'sent') markSent(tx, { id })
  else if (outcome === 'dropped') removeMail(tx, { id })
  else {
    const { trouble, reason: lastError } = outcome
    const pauseMs = pauseAfter(trouble, attempts, msLeft, Math.random())
    if (pauseMs === undefined) markDead(tx, { id, attempts, lastError })
    else markFailed(tx, { id, attempts, lastError, pauseMs })
    return pauseMs
  }
  return undefined
}

/** What the server said, or why it was not reached. */
function reasonOf({ message, response }: Error & { response?: string }): string {
  return (response ?? message).replace(/[\p{Cc}]+/gu, ' ').slice(0, LONGEST_REASON)
}
