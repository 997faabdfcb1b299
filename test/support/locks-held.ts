import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'

/** Locks that stop writes of a table; ACCESS EXCLUSIVE stops reads as well. */
const STOPPING = `('AccessExclusiveLock', 'ExclusiveLock', 'ShareRowExclusiveLock', 'ShareLock')`

export interface Held {
  /** ms for which a migration has held a lock that stops writes, and of which table */
  longest: { ms: number; table: string }
  /** ms of the slowest statement that ran beside the migrations */
  slowestRead: number
  slowestWrite: number
  reads: number
  writes: number
}

/**
 * Reads and writes tasks as the service does, and watches the locks of migrations meanwhile.
 * @param url of a superuser, on a database with tasks of `tenant` whose ids are 1 to `rows`
 */
export async function openLockWatch(url: string, tenant: number, rows: number) {
  const held: Held = { longest: { ms: 0, table: 'none' }, slowestRead: 0, slowestWrite: 0, reads: 0, writes: 0 }
  let isOver = false

  async function repeat(pause: number, act: (client: pg.Client) => Promise<void>) {
    const client = new pg.Client({ connectionString: url, application_name: 'atrium-lock-watch' })
    await client.connect()
    while (!isOver) {
      await act(client)
      await sleep(pause)
    }
    await client.end()
  }

  const timed = async (work: () => Promise<unknown>) => {
    const start = performance.now()
    await work()
    return performance.now() - start
  }
  const anyTask = () => 1 + Math.floor(Math.random() * rows)

  const read = (client: pg.Client) => async () =>
    client.query('select * from tasks where tenant_id = $1 and id = $2', [tenant, anyTask()])
  const write = (client: pg.Client) => async () => {
    const task = anyTask()
    await client.query('begin')
    await client.query(
      `update tasks set status = case status when 'TODO' then 'DONE' else 'TODO' end, version = version + 1 where tenant_id = $1 and id = $2`,
      [tenant, task],
    )
    await client.query(
      `insert into activities (tenant_id, project_id, task_id, actor_id, action, version, request_id, created_at)
       select tenant_id, project_id, id, reporter_id, 'STATUS_CHANGED', version, 'r', now() from tasks where tenant_id = $1 and id = $2`,
      [tenant, task],
    )
    await client.query('commit')
  }

  const since = new Map<string, number>()
  async function look(client: pg.Client) {
    const now = performance.now()
    const { rows: locks } = await client.query(
      `select l.relation::regclass::text as table from pg_locks l join pg_stat_activity a using (pid)
        where a.application_name = 'atrium-migrate' and l.granted and l.locktype = 'relation' and l.mode in ${STOPPING}
          and l.relation in ('tasks'::regclass, 'activities'::regclass)`,
    )
    const tables = new Set<string>(locks.map(({ table }) => table))
    for (const table of since.keys()) if (!tables.has(table)) since.delete(table)
    for (const table of tables) {
      if (!since.has(table)) since.set(table, now)
      const ms = performance.now() - since.get(table)!
      if (ms > held.longest.ms) held.longest = { ms, table }
    }
  }

  const running = Promise.all([
    repeat(10, look),
    ...[1, 2].map(() =>
      repeat(10, async (client) => {
        held.slowestRead = Math.max(held.slowestRead, await timed(read(client)))
        held.reads++
      }),
    ),
    ...[1, 2].map(() =>
      repeat(10, async (client) => {
        held.slowestWrite = Math.max(held.slowestWrite, await timed(write(client)))
        held.writes++
      }),
    ),
  ])
  return async (): Promise<Held> => {
    isOver = true
    await running
    return held
  }
}
