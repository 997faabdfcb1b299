import { setTimeout as sleep } from 'node:timers/promises'
import { type Database, fewAtOnce, type Language, type Scope, type TenantId, type UserId, whileNeeded } from '#atrium'
import { type Cursor, cursorBehind, isSettled, noteTold, takeNew } from './cursor.ts'
import type { EventStream } from './event-stream.ts'
import { countUnreadOfEach, listArrivals, listLatestIds } from './live.store.ts'
import { type Arrival, MOST_MISSED, messagesOf, reset, unreadCount } from './live-messages.ts'

type StreamListener = Pick<EventStream, 'send' | 'onEnd'>

interface Follower {
  listener: StreamListener
  language: Language
  cursor: Cursor
}
/** One person with all their listeners: twelve tabs are one inbox. */
interface Inbox {
  userId: UserId
  followers: Set<Follower>
  unread: number
}
/** The inboxes of one tenant that have listeners. */
interface Room {
  scope: Scope
  inboxes: Map<UserId, Inbox>
  due: Set<Inbox>
  isLooking: boolean
  /** on the monotonic clock, ms */
  restsUntil: number
}

/** The interval of polls if signals from other replicas do not arrive. */
const POLL_MS = 1000
/** If signals arrive, only every fifth poll reads everything, in case a signal was lost. */
const RARELY = 5
/** The shortest pause between two reads of a room, however many signals arrive. */
const PAUSE_MS = 50
const ROOMS_AT_ONCE = 16
/** How many may overtake a notification before it is missed; one person never gets that many at the same time. */
const MOST_OVERTAKING = 500

type Beginning = Awaited<ReturnType<typeof beginStream>>

/** Loads what a listener has missed since `lastId`, or its start if it has none. @throws Unavailable */
export async function beginStream(scope: Scope, userId: UserId, language: Language, lastId: number | undefined) {
  const receivers = [userId]
  const most = MOST_MISSED + 1
  const [latest, missed, [counted]] = await Promise.all([
    listLatestIds(scope, { receiverId: userId, most: MOST_OVERTAKING }),
    lastId === undefined ? [] : listArrivals(scope, { receivers, floors: [lastId], most }),
    countUnreadOfEach(scope, { receivers }),
  ])
  const unread = counted?.unread ?? 0
  const cursor = cursorBehind(latest, MOST_OVERTAKING)
  noteTold(cursor, missed)
  const greeting = [...messagesOf(missed, cursor, language), unreadCount(unread, cursor)]
  return { scope, userId, language, cursor, unread, greeting }
}

/**
 * Sends listeners what arrives in their inboxes. It reads everything from the database, with two statements for each
 * tenant with listeners, in that tenant's scope. Signals, from any process, and polls only trigger a read. So a listener
 * gets nothing twice, and a poll finds what no signal announced.
 */
export function openLive(database: Database) {
  const rooms = new Map<TenantId, Room>()
  const polls = whileNeeded(POLL_MS, () => rooms.size > 0, poll)
  let pollsWithSignals = 0
  let isBlind = false
  const stopListening = database.inboxSignal.subscribe((tenantId, userIds) => {
    const room = rooms.get(tenantId)
    if (!room) return
    for (const userId of userIds) {
      const inbox = room.inboxes.get(userId)
      if (inbox) room.due.add(inbox)
    }
    void look(room)
  })

  function enter({ scope, userId, language, cursor, unread }: Beginning, listener: StreamListener): () => void {
    const room = rooms.get(scope.tenantId) ?? {
      scope,
      inboxes: new Map(),
      due: new Set(),
      isLooking: false,
      restsUntil: 0,
    }
    const inbox = room.inboxes.get(userId) ?? { userId, followers: new Set(), unread }
    const follower = { listener, language, cursor }
    rooms.set(scope.tenantId, room)
    room.inboxes.set(userId, inbox)
    inbox.followers.add(follower)
    polls.start()
    // A signal since the first read reached nobody.
    room.due.add(inbox)
    void look(room)
    return () => {
      inbox.followers.delete(follower)
      if (inbox.followers.size === 0) room.inboxes.delete(userId)
      if (room.inboxes.size === 0) rooms.delete(scope.tenantId)
    }
  }

  async function poll() {
    pollsWithSignals = database.inboxSignal.isConnected() ? pollsWithSignals + 1 : 0
    // This process may be connected again before those that signal.
    const all = pollsWithSignals <= RARELY || pollsWithSignals % RARELY === 0
    await fewAtOnce(rooms.values(), ROOMS_AT_ONCE, (room) => {
      for (const inbox of room.inboxes.values()) if (all || !isAtRest(inbox)) room.due.add(inbox)
      return look(room)
    })
  }

  /** Reads until nothing is due, one read at a time for each room; a signal meanwhile causes another. */
  async function look(room: Room) {
    if (room.isLooking) return
    room.isLooking = true
    try {
      while (room.due.size) {
        const rest = room.restsUntil - performance.now()
        if (rest > 0) await sleep(rest, undefined, { ref: false })
        const inboxes = [...room.due].filter(({ followers }) => followers.size)
        room.due.clear()
        await lookAt(room, inboxes).catch((error) => {
          for (const inbox of inboxes) room.due.add(inbox)
          throw error
        })
        room.restsUntil = performance.now() + PAUSE_MS
        isBlind = false
      }
    } catch (error) {
      if (!isBlind) database.log.warn({ err: String(error) }, 'inboxes cannot be looked at; each poll tries again')
      isBlind = true
    } finally {
      room.isLooking = false
    }
  }

  async function lookAt({ scope }: Room, inboxes: Inbox[]) {
    if (inboxes.length === 0) return
    const receivers = inboxes.map(({ userId }) => userId)
    const floors = inboxes.map(({ followers }) => Math.min(...[...followers].map(({ cursor }) => cursor.floor)))
    // A row that arrives between the two is sent now and counted by the next read, never counted before it is sent.
    const counts = await countUnreadOfEach(scope, { receivers })
    const arrivals = await listArrivals(scope, { receivers, floors, most: MOST_MISSED + 1 })
    const arrived = Map.groupBy(arrivals, ({ receiverId }) => receiverId)
    const counted = new Map(counts.map(({ receiverId, unread }) => [receiverId, unread ?? 0]))
    for (const inbox of inboxes) {
      const rows = arrived.get(inbox.userId) ?? []
      const count = counted.get(inbox.userId) ?? 0
      if (rows.length > MOST_MISSED) await startOver(scope, inbox, count)
      else sendArrivals(inbox, rows, count)
    }
  }

  async function startOver(scope: Scope, inbox: Inbox, count: number) {
    const latest = await listLatestIds(scope, { receiverId: inbox.userId, most: MOST_OVERTAKING })
    inbox.unread = count
    for (const follower of inbox.followers) {
      follower.cursor = cursorBehind(latest, MOST_OVERTAKING)
      follower.listener.send([reset(follower.cursor), unreadCount(count, follower.cursor)])
    }
  }

  return {
    /** Greets the listener, then sends it new notifications until it ends. */
    follow(beginning: Beginning, listener: StreamListener) {
      listener.send(beginning.greeting)
      listener.onEnd(enter(beginning, listener))
    },
    stop() {
      stopListening()
      polls.stop()
    },
  }
}

function isAtRest({ followers }: Inbox): boolean {
  return [...followers].every(({ cursor }) => isSettled(cursor))
}

/** Sends each listener what is new to it, then the unread count; or only the id, if it has moved. */
function sendArrivals(inbox: Inbox, rows: readonly Arrival[], count: number) {
  const isNewCount = count !== inbox.unread
  inbox.unread = count
  for (const { listener, language, cursor } of inbox.followers) {
    const before = cursor.floor
    const messages = messagesOf(takeNew(cursor, rows), cursor, language)
    if (messages.length || isNewCount) messages.push(unreadCount(count, cursor))
    else if (cursor.floor !== before) messages.push({ id: cursor.floor })
    if (messages.length) listener.send(messages)
  }
}
