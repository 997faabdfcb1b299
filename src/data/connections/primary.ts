import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import pg from 'pg'
import type { Log } from '../../kernel/log.ts'
import type { Connection } from '../wire/connection.ts'
import type { FlightError } from '../wire/flight.ts'
import { READ_ONLY, ReadOnlyServer } from '../wire/unavailable.ts'

/**
 * What a connection is used for. Changes need a server that accepts them. Reads may use a primary that was made
 * read-only, but not a standby, which may be older than what this process has shown. A replica is read from in any
 * state.
 */
export type Purpose = 'changes' | 'reads' | 'replica'

/** Connections that leave a server together. */
export interface Member {
  /** including those that it has left, while they wait for an answer */
  connections(): readonly Connection[]
  /** The connection accepts more flights. */
  holds(connection: Connection): boolean
  /** connected, to a server that accepts changes */
  isSettled(): boolean
  /** The server accepts no changes. */
  isReadOnly(): boolean
  /** Its next flights use a new connection, which resolves the name again; pending ones are answered first. */
  leave(): void
}

/** After this time without an answer, checks whether the name still resolves to the server. */
const SILENT_MS = 1000
const LOOK_EVERY_MS = 250
/**
 * A server that is being made read-only may hide it from some connections for a moment. Connecting all of them again
 * finds those.
 */
const RENEW_MS = 2000

/**
 * Queried, not read from ParameterStatus: a pooler repeats what a server reported once, perhaps before its promotion.
 */
const STATE = `select pg_is_in_recovery() as "isStandby", current_setting('transaction_read_only') = 'on' as "isReadOnly"`

/** A pooler lets in who comes, and has this wait while its database is away. */
const STATE_MS = 2000

async function askState(
  client: pg.ClientBase,
  timeout = STATE_MS,
): Promise<{ isStandby: boolean; isReadOnly: boolean }> {
  const query: pg.QueryConfig & { query_timeout: number } = { text: STATE, query_timeout: timeout }
  return (await client.query(query)).rows[0]
}

/** @throws ReadOnlyServer if the server accepts no changes */
export async function assertTakesChanges(client: pg.ClientBase): Promise<void> {
  if ((await askState(client)).isReadOnly) throw new ReadOnlyServer()
}

export type Primary = ReturnType<typeof followPrimary>

/**
 * Keeps all connections of a database on its primary. After a failover they leave the old server: if it refuses a
 * change as read-only, or if it is silent while the name of the database resolves elsewhere.
 * @param timeout ms that a new connection has to say what its server is
 */
export function followPrimary(url: string, log: Log, timeout: number) {
  const name = serverName(url)
  const members: Member[] = []
  let readOnly = false
  let looking = false
  const watch = setInterval(() => void lookForSilence(), LOOK_EVERY_MS).unref()

  function noteReadOnly() {
    if (!readOnly) log.warn({}, 'the database server accepts no changes; looking for the one that does')
    readOnly = true
  }

  const isHeld = (connection: Connection) => members.some((member) => member.holds(connection))

  function leave() {
    noteReadOnly()
    renew()
  }

  function renew() {
    for (const member of members) member.leave()
  }

  async function lookForSilence() {
    const now = performance.now()
    const silent = members.flatMap((member) => member.connections()).filter((each) => each.oldestWait(now) > SILENT_MS)
    if (silent.length === 0 || looking) return
    looking = true
    const addresses = await name.addresses()
    looking = false
    const lost = silent.filter(({ address }) => address !== undefined && hasMoved([address], addresses))
    for (const connection of lost)
      connection.destroy(new Error('no answer, and the name of the database leads elsewhere'))
    if (lost.some(isHeld)) leave()
  }

  /** Checks a client that is connected. @throws ReadOnlyServer */
  async function check(client: pg.ClientBase, purpose: Purpose): Promise<{ isReadOnly: boolean }> {
    if (purpose === 'replica') return { isReadOnly: false }
    const { isStandby, isReadOnly } = await askState(client, timeout)
    if (isReadOnly) noteReadOnly()
    if (isStandby || (isReadOnly && purpose === 'changes')) throw new ReadOnlyServer()
    return { isReadOnly }
  }

  return {
    add: (member: Member) => void members.push(member),
    check,
    /**
     * Connects the client. Ends the attempt if the name resolves elsewhere before the server has answered.
     * @returns whether the server accepts no changes; @throws ReadOnlyServer if it does not serve the purpose
     */
    async connect(client: pg.Client, purpose: Purpose): Promise<{ isReadOnly: boolean }> {
      let before: readonly string[] = []
      void name.addresses().then((found) => (before = found))
      const looking = setInterval(async () => {
        if (hasMoved(before, await name.addresses())) abandon(client)
      }, LOOK_EVERY_MS).unref()
      try {
        await client.connect()
        return await check(client, purpose)
      } catch (error) {
        abandon(client)
        throw error
      } finally {
        clearInterval(looking)
      }
    },
    /** Called by a member that has connected. */
    connected(member: Member) {
      // Another server may have replaced it: a member that still reads from the old one would get stale data.
      if (!member.isReadOnly()) for (const other of members) if (other.isReadOnly()) other.leave()
      if (!readOnly || !members.every((each) => each.isSettled())) return
      readOnly = false
      log.info({}, 'the database accepts changes again')
      setTimeout(renew, RENEW_MS).unref()
    },
    /** Called with the error of a flight. */
    failed(error: FlightError, connection: Connection) {
      if (error.code === READ_ONLY && isHeld(connection)) leave()
    },
    /** True from the first sign that the server accepts no changes until every connection is on one that does. */
    isReadOnly: () => readOnly,
    close: () => clearInterval(watch),
  }
}

/** Whatever its state: a server that does not answer does not end a connection either. */
function abandon(client: pg.Client): void {
  const { connection } = client as unknown as { connection: pg.Connection }
  connection.stream.destroy()
}

/** How long an answer is reused. */
const REMEMBERED_MS = 250

/** Where the host of the URL leads. One lookup runs at a time: each occupies a thread, which password hashes need too. */
function serverName(url: string) {
  const { host } = new pg.Client({ connectionString: url })
  const isName = !host.startsWith('/') && isIP(host) === 0
  let look: Promise<readonly string[]> | undefined

  async function lookUp(): Promise<readonly string[]> {
    try {
      return (await lookup(host, { all: true })).map(({ address }) => address)
    } catch {
      return []
    } finally {
      setTimeout(() => (look = undefined), REMEMBERED_MS).unref()
    }
  }

  return {
    /** Its current addresses; none if it cannot be resolved, or the URL has no name. */
    async addresses() {
      if (!isName) return []
      look ??= lookUp()
      return look
    },
  }
}

/** True if the name resolves, and to none of its previous addresses. */
function hasMoved(before: readonly string[], now: readonly string[]): boolean {
  return before.length > 0 && now.length > 0 && !before.some((address) => now.includes(address))
}
