import {
  type Job,
  type JobHost,
  type System,
  sharedScope,
  system,
  type TenantId,
  type Tx,
  transact,
  type WorkInTenants,
} from '#atrium'
import { listOpenTenants } from '#atrium/tenants'
import { clocksAt, daysToRemindOf, isTimeToRemind } from './reminders.rules.ts'
import { beginRound, listDue, lockRound, saveRound } from './reminders.store.ts'

const MINUTE_MS = 60_000
/** Tasks of one transaction, so that nobody waits for it. */
const BATCH = 200

/** Reminds the people of each tenant of their tasks, every morning. It looks at the clocks once a minute. */
export const reminders: Job = {
  name: 'reminders',
  every: MINUTE_MS,
  first: 3000,
  open: () => reminding(() => new Date()),
}

/** Any number of processes may do this at the same time: each task is reported once on a day. */
export function reminding(now: () => Date): WorkInTenants<JobHost> {
  let clockIn = clocksAt(now())
  let timeZones = new Map<TenantId, string>()
  /** the day up to which each tenant is known to be reminded, so that it is not asked again */
  const ended = new Map<TenantId, string>()
  return {
    inTenants: {
      failed: 'people could not be reminded of their tasks',
      async among(database) {
        const open = await listOpenTenants(sharedScope(database), {})
        clockIn = clocksAt(now())
        timeZones = new Map(open.map(({ id, timeZone }) => [id, timeZone]))
        return open
      },
    },
    async work({ tenantId }, { database }) {
      const clock = clockIn(timeZones.get(tenantId)!)
      if (!isTimeToRemind(clock) || ended.get(tenantId) === clock.day) return false
      const command = { tenantId, actor: system, requestId: 'reminders' }
      const state = await transact(database, command, (tx) => remind(tx, clock.day))
      if (state === 'ended') ended.set(tenantId, clock.day)
      return state === 'goes on'
    },
  }
}

/** The next tasks of a round. What is sent and how far the round is commit together. */
async function remind(tx: Tx<System>, day: string): Promise<'goes on' | 'ended' | 'elsewhere'> {
  beginRound(tx, { day })
  const round = await lockRound(tx, { day })
  if (!round) return 'elsewhere'
  if (round.ended) return 'ended'
  const { id, lastUser, lastTask } = round
  const due = await listDue(tx, { days: daysToRemindOf(day), lastUser, lastTask, most: BATCH })
  for (const task of due.filter(({ mayRead }) => mayRead))
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
  return ended ? 'ended' : 'goes on'
}
