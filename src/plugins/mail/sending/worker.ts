import {
  type Job,
  type JobHost,
  markInTenant,
  openLeasedWork,
  reportBacklog,
  type Scope,
  type TenantId,
  type Tx,
  type Work,
} from '#atrium'
import { pauseAfter, type SmtpFailure, type Trouble, troubleOf } from '../mail.rules.ts'
import {
  countMails,
  findDue,
  holdMails,
  markDead,
  markFailed,
  markSent,
  removeMail,
  type TakenMail,
  takeMails,
} from '../mail.store.ts'
import { openNewsCollector } from '../news/collect.ts'
import { compose } from './compose.ts'
import { filePost, folderOf } from './mailbox.ts'
import { smtpPost } from './post.ts'

type Outcome = 'sent' | 'dropped' | { trouble: Trouble; reason: string }

/** A server may take long to say yes, and one that says it after we have left gets the mail twice. */
const LONGEST_MS = 120_000
/** Of what the server says. */
const LONGEST_REASON = 500

const MAILS = {
  prefix: 'mail',
  waits: 'mail',
  help: {
    waiting: 'Mails that wait to be sent',
    oldest: 'How long the oldest of them has waited',
    dead: 'Mails of the last 30 days that were given up',
    attempts: 'Attempts to send a mail: sent, or not because of the server, for now, or for good',
  },
  count: async (scope: Scope) => (await countMails(scope, {}))!,
} as const

/**
 * Sends what waits in the outboxes of all tenants. A commit with mail starts it immediately; its runs find the rest. A mail
 * is marked after the server has taken it: if the process is killed between the two, it is sent again, with the same
 * Message-ID.
 */
export const sendingOfMails: Job = { name: 'the outbox of mails', every: 5000, open }

function open(host: JobHost): Work {
  const { database, config } = host
  const news = openNewsCollector(database)
  const post = config.mailUrl ? smtpPost(config) : filePost(folderOf(config), config.mailFrom)
  /** how attempts have ended since the start */
  const tally = { sent: 0, server: 0, later: 0, refused: 0 }
  reportBacklog(host, { ...MAILS, tally })
  const inOutbox = <T>(tenantId: TenantId, action: (tx: Tx<any>) => Promise<T>) =>
    markInTenant(database, tenantId, 'mail', action)

  const work = openLeasedWork<TakenMail, Outcome>(database, {
    what: 'mails',
    most: config.mailConnections,
    async isDue(scope) {
      const [due, isNeeded] = await Promise.all([findDue(scope, {}), news.isNeeded(scope)])
      if (isNeeded) void news.collect(scope.tenantId)
      return due !== undefined
    },
    async take(tenantId, room) {
      const { taken } = await inOutbox(tenantId, async (tx) => ({ taken: takeMails.atCommit(tx, { most: room }) }))
      return (await taken).rows
    },
    attempt,
    settle: (tenantId, mail, outcome) => inOutbox(tenantId, async (tx) => write(tx, mail, outcome)),
    hold: (tenantId, mails) => inOutbox(tenantId, async (tx) => holdMails(tx, { ids: mails.map(({ id }) => id) })),
  })
  const stopListening = [
    database.announcements.subscribe((announcement, tenantId) => {
      if (announcement === 'mail') work.giveTurn(tenantId)
    }),
    database.inboxSignal.subscribe((tenantId) => void news.collect(tenantId)),
  ]

  async function attempt(tenantId: TenantId, mail: TakenMail, ending: AbortSignal): Promise<Outcome> {
    if (mail.msLeft <= 0) return { trouble: 'refused', reason: mail.lastError ?? 'It could not be sent for a day' }
    try {
      const message = await compose(host, tenantId, mail)
      if (!message) return 'dropped'
      await post.send(message, AbortSignal.any([ending, AbortSignal.timeout(LONGEST_MS)]))
      tally.sent++
      return 'sent'
    } catch (error) {
      const trouble = troubleOf(error as SmtpFailure)
      tally[trouble]++
      return { trouble, reason: reasonOf(error as Error) }
    }
  }

  return {
    ...work,
    async close() {
      for (const stop of stopListening) stop()
      news.stop()
      await work.close()
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

function reasonOf({ message, response }: Error & { response?: string }): string {
  return (response ?? message).replace(/[\p{Cc}]+/gu, ' ').slice(0, LONGEST_REASON)
}
