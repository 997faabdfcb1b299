import { list, lock, matches, only, type PartOf, removeOldest, seesEverything, sql, write } from '#atrium'
import { active } from '#atrium/people'
import { members } from '#atrium/projects'
import { administrators, holdersOf } from '#atrium/roles'
import { visibleTasks } from '#atrium/tasks'

/** Begins the round of a day, if no process has. */
export const beginRound = write(({ insert }, p: { day: string }) =>
  insert('reminderRounds', p).onConflict((conflict) => conflict.columns(['tenantId', 'day']).doNothing()),
)

/** How far the round of a day is; undefined while another process goes on with it. */
export const lockRound = lock((from, p: { day: string }) =>
  from('reminderRounds')
    .select(['reminderRounds.id', 'reminderRounds.lastUser', 'reminderRounds.lastTask', 'reminderRounds.ended'])
    .where('reminderRounds.day', '=', p.day)
    .forUpdate()
    .skipLocked(),
)

export const saveRound = write(({ update }, p: PartOf<'reminderRounds', 'id' | 'ended' | 'lastUser' | 'lastTask'>) =>
  update('reminderRounds')
    .set(only(p, ['ended', 'lastUser', 'lastTask']))
    .where('reminderRounds.id', '=', p.id),
)

const EVERYTHING = seesEverything('a job reminds everyone of their own tasks')

/**
 * Open tasks that are due on one of these days, of people who can sign in, after a place in the order of people and
 * tasks; and whether their assignee may read them now.
 */
export const listDue = list(
  (from, p: { days: readonly string[]; lastUser: number; lastTask: number; most: number }) => {
    const due = visibleTasks(from, EVERYTHING)
      .select(['tasks.id', 'tasks.title', 'tasks.dueDate', 'tasks.projectId'])
      .where(matches('tasks.assigneeId', 'users.id'))
      .where('tasks.isOpen', '=', true)
      .where('tasks.dueDate', '=', sql<string>`any(${p.days}::date[])`)
      .where(sql<boolean>`(${sql.ref('users.id')} > ${p.lastUser} or ${sql.ref('tasks.id')} > ${p.lastTask})`)
    const isMember = (eb: any) =>
      eb.exists(
        members(from)
          .select(sql`1`.as('one'))
          .where(matches('projectMembers.projectId', 'due.projectId' as never))
          .where(matches('projectMembers.userId', 'users.id')),
      )
    return active(from)
      .innerJoinLateral(due.as('due'), (join) => join.onTrue())
      .select(['due.id', 'due.title', 'due.dueDate', 'users.id as assigneeId'])
      .select((eb) =>
        eb
          .and([
            eb('users.id', 'in', holdersOf(from, 'project:list')),
            eb.or([isMember(eb), eb('users.id', 'in', administrators(from))]),
          ])
          .$castTo<boolean>()
          .as('mayRead'),
      )
      .where('users.id', '>=', p.lastUser)
      .orderBy('users.id')
      .orderBy('due.id')
      .limit(p.most)
  },
)

/** Rounds of days that are over everywhere. */
export const removeOldRounds = removeOldest('reminderRounds', 'day', sql<string>`current_date - 7`)
