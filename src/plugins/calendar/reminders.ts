import { type Database, type Sweep, type System, sharedScope, startSweep, system, type Tx, transact } from '#atrium'
import { listOpenTenants } from '#atrium/tenants'
import { clocksOf, daysToRemindOf, isTimeToRemind, type WallClock } from './reminders.rules.ts'
import { beginRound, listDue, lockRound, saveRound } from './reminders.store.ts'

const MINUTE_MS = 60_000
/** Tasks of one transaction, so that nobody waits for it. */
const BATCH = 200

/** Reminds the people of each tenant of their tasks, every morning. It looks at the clocks once a minute. */
export function startReminders(database: Database): Sweep {
  const ended = new Map<number, string>()
  return startSweep(database, { what: 'reminders', pause: MINUTE_MS, first: 3000 }, (stopping) =>
    remindOfDueTasks(database, new Date(), { ended, stopping }),
  )
}

interface Round {
  /** the day up to which each tenant is known to be reminded, so that it is not asked again */
  ended?: Map<number, string>
  stopping?: AbortSignal
}

/**
 * Looks at all tenants at an instant. A failure in one does not stop the others. Any number of processes may do this at
 * the same time: each task is reported once on a day. @returns how many reminders were sent
 */
export async function remindOfDueTasks(database: Database, now: Date, { ended = new Map(), stopping }: Round = {}) {
  let sent = 0
  const clocks = new Map<string, WallClock>()
  const clockIn = (timeZone: string) => {
    const clock = clocks.get(timeZone) ?? clocksOf(timeZone)(now)
    clocks.set(timeZone, clock)
    return clock
  }
  for (const { id: tenantId, timeZone } of await listOpenTenants(sharedScope(database), {})) {
    if (stopping?.aborted) break
    try {
      const clock = clockIn(timeZone)
      if (!isTimeToRemind(clock) || ended.get(tenantId) === clock.day) continue
      const command = { tenantId, actor: system, requestId: 'reminders' }
      for (let state = 'goes on'; state === 'goes on' && !stopping?.aborted; ) {
        const batch = await transact(database, command, (tx) => remind(tx, clock.day))
        sent += batch.sent
        state = batch.state
        if (state === 'ended') ended.set(tenantId, clock.day)
      }
    } catch (error) {
      database.log.warn({ err: String(error), tenantId }, 'people could not be reminded of their tasks')
    }
  }
  return sent
}

/** The next tasks of a round. What is sent and how far the round is commit together. */
async function remind(
  tx: Tx<System>,
  day: string,
): Promise<{ state: 'goes on' | 'ended' | 'elsewhere'; sent: number }> {
  beginRound(tx, { day })
  const round = await lockRound(tx, { day })
  if (!round) return { state: 'elsewhere', sent: 0 }
  if (round.ended) return { state: 'ended', sent: 0 }
  const { id, lastUser, lastTask } = round
  const due = await listDue(tx, { days: daysToRemindOf(day), lastUser, lastTask, most: BATCH })
  const readable = due.filter(({ mayRead }) => mayRead)
  for (const task of readable)
    tx.notify({
      type: 'TASK_DUE',
      facts: { title: task.title, date: task.dueDate! },
      resourceType: 'task',
      resourceId: task.id,
      receivers: [task.assigneeId],
    })
  const last = due.at(-1)
  const ended = due.length < BATCH
  saveRound(tx, { id, ended, lastUser: last?.assigneeId ?? lastUser, lastTask: last?.id ?? lastTask })
  return { state: ended ? 'ended' : 'goes on', sent: readable.length }
}
