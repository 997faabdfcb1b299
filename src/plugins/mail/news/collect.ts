import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  type Database,
  type Language,
  openScope,
  type Scope,
  type System,
  sharedRuns,
  system,
  type TenantId,
  type Tx,
  transact,
  whenIdle,
} from '#atrium'
import { listReceivers } from '#atrium/people'
import { getPolicy } from '#atrium/tenants'
import { insertMail } from '../mail.store.ts'
import {
  findDueDigest,
  findLastSeen,
  findNews,
  listNews,
  lockCursor,
  putIntoDigest,
  saveCursor,
  takeDigests,
} from '../news.store.ts'
import { languageOf, mailOf, nextMorning, rangesByPerson } from './news.rules.ts'

/** News of one moment become one mail. */
const TOGETHER_MS = 1000
/** The pause between two looks at a tenant that is busy. */
const REST_MS = 2000
const MOST = 500
const MOST_DIGESTS = 100

/**
 * Turns notifications into mails for those who want them. Notifications get their ids one transaction at a time in a
 * tenant, so what was looked at is known by one id. It moves in the transaction that writes the mails: none is
 * forgotten, and none is written twice.
 */
export function openNewsCollector(database: Database) {
  /** up to where a tenant has news that nobody wants by mail; then the cursor need not move */
  const floors = new Map<TenantId, number>()
  const stopping = new AbortController()

  const look = sharedRuns(async (tenantId: TenantId) => {
    await pause(TOGETHER_MS)
    while (!stopping.signal.aborted && (await lookOnce(tenantId)));
    while (!stopping.signal.aborted && (await sendDigests(tenantId)));
    await pause(REST_MS)
  })

  async function pause(ms: number): Promise<void> {
    await sleep(ms, undefined, { ref: false, signal: stopping.signal }).catch(() => {})
  }

  /** @returns whether there may be more */
  async function lookOnce(tenantId: TenantId): Promise<boolean> {
    const floor = floors.get(tenantId) ?? 0
    await whenIdle(database)
    const scope = openScope(database, tenantId)
    const [news, begin] = await Promise.all([listNews(scope, { floor, most: MOST }), findLastSeen(scope, {})])
    const isFull = news.length === MOST
    if (isFull || news.some((row) => !row.isStale && mailOf(row)))
      return inTenant(tenantId, (tx) => writeMails(tx, { floor, ...begin! }))
    if (news.length > 0) floors.set(tenantId, news.at(-1)!.id)
    return false
  }

  async function sendDigests(tenantId: TenantId): Promise<boolean> {
    if (!(await findDueDigest(openScope(database, tenantId), {}))) return false
    return inTenant(tenantId, writeDigests)
  }

  function inTenant(tenantId: TenantId, action: (tx: Tx<System>) => Promise<boolean>): Promise<boolean> {
    return transact(database, { tenantId, actor: system, requestId: 'news' }, action)
  }

  return {
    /** Looks at what is new in a tenant, and at daily mails that are due. */
    collect: (tenantId: TenantId): Promise<void> =>
      look(tenantId).catch((error) =>
        database.log.warn({ err: String(error), tenantId }, 'news could not be mailed; the next sweep tries again'),
      ),
    /** Whether there is anything to collect. */
    async isNeeded(scope: Scope): Promise<boolean> {
      const [news, digest] = await Promise.all([
        findNews(scope, { floor: floors.get(scope.tenantId) ?? 0 }),
        findDueDigest(scope, {}),
      ])
      return news !== undefined || digest !== undefined
    },
    stop: () => stopping.abort(),
  }
}

/**
 * The next notifications: a mail for those who want it immediately, the digest for those who want it daily.
 * @param seen where the tenant begins if nobody has looked at its news yet
 */
async function writeMails(tx: Tx<System>, { floor, seen }: { floor: number; seen: number }): Promise<boolean> {
  const [, news, policy] = await tx.inOrder([
    lockCursor(tx, { seen }),
    listNews(tx, { floor, most: MOST }),
    getPolicy(tx, { id: tx.tenantId }),
  ])
  if (news.length === 0) return false
  const wanted = news.filter((row) => !row.isStale && mailOf(row))
  for (const { person, newsFrom, newsTo } of rangesByPerson(wanted)) {
    const userId = person.receiverId
    if (mailOf(person) === 'daily') {
      const morning = nextMorning(Date.parse(tx.now), person.timeZone ?? policy.timeZone)
      putIntoDigest(tx, { userId, newsFrom, newsTo, dueAt: new Date(morning).toISOString() })
    } else
      writeNews(tx, 'NEWS', { ...person, id: userId }, { newsFrom, newsTo }, languageOf(person.locale, policy.locale))
  }
  saveCursor(tx, { seen: news.at(-1)!.id })
  return news.length === MOST
}

async function writeDigests(tx: Tx<System>): Promise<boolean> {
  const [{ rows: due }, policy] = await Promise.all([
    takeDigests(tx, { most: MOST_DIGESTS }),
    getPolicy(tx, { id: tx.tenantId }),
  ])
  const receivers = await listReceivers(tx, { ids: due.map(({ userId }) => userId), most: MOST_DIGESTS })
  const byId = new Map(receivers.map((receiver) => [receiver.id, receiver]))
  for (const range of due) {
    const receiver = byId.get(range.userId)
    if (receiver?.email) writeNews(tx, 'NEWS_DAILY', receiver, range, languageOf(receiver.locale, policy.locale))
  }
  return due.length === MOST_DIGESTS
}

function writeNews(
  tx: Tx<System>,
  kind: 'NEWS' | 'NEWS_DAILY',
  { id, email }: { id: number; email: string | null },
  { newsFrom, newsTo }: { newsFrom: number; newsTo: number },
  locale: Language,
): void {
  insertMail(tx, { key: randomUUID(), kind, userId: id, recipient: email!, locale, sealed: null, newsFrom, newsTo })
}
