import type { Database } from '../../src/data/database.ts'
import type { Tx } from '../../src/data/scope.ts'
import { transact } from '../../src/data/transaction.ts'
import { markAllRead } from '../../src/domains/notifications/notifications.store.ts'
import { addMember, archiveProject, createProject, updateProject } from '../../src/domains/projects/projects.actions.ts'
import { addComment, createTask, updateTask } from '../../src/domains/tasks/tasks.actions.ts'
import type { User } from '../../src/kernel/actor.ts'
import { instantOf } from './calendar.ts'
import type { Step } from './story.ts'

/** A company's tenant and its people by user name. */
export interface Stage {
  tenantId: number
  users: Map<string, User>
}

/** What came of a step: ids and versions, which the steps behind it need. */
interface Subject {
  id: number
  version: number
}
export interface Memory {
  projects: Map<string, Subject>
  tasks: Map<string, Subject>
}

/**
 * Performs steps as the people of the story, through the actions and at the time of the story. They begin in order of
 * time, up to `width` at once, and those of one project follow each other: so ids rise with time.
 */
export async function perform(
  database: Database,
  stages: Map<string, Stage>,
  memory: Memory,
  steps: Iterable<{ step: Step; requestId: string }>,
  { width, signal, onDone }: { width: number; signal: AbortSignal; onDone(step: Step): void },
): Promise<void> {
  const lanes = new Map<string, Promise<void>>()
  const running = new Set<Promise<void>>()
  for (const { step, requestId } of steps) {
    if (running.size === width) await Promise.race(running)
    // Who reads the inbox finds everything in it that was told before.
    if (step.does === 'read the inbox') await Promise.all(running)
    if (signal.aborted) break
    const lane = 'project' in step ? step.project : step.by
    const turn = Promise.resolve(lanes.get(lane))
      .then(() => performOne(database, stages.get(step.company)!, memory, step, requestId))
      .then(() => onDone(step))
      .finally(() => running.delete(turn))
    // The race above and the wait below hear of a failure; this only keeps it from being called unhandled.
    turn.catch(() => {})
    running.add(turn)
    lanes.set(lane, turn)
  }
  await Promise.all(running)
}

function performOne(database: Database, { tenantId, users }: Stage, memory: Memory, step: Step, requestId: string) {
  const command = {
    tenantId,
    actor: users.get(step.by)!,
    requestId,
    idempotencyKey: step.does === 'create project' ? `demo-${step.project}` : undefined,
    at: instantOf(step.at),
  }
  const idOf = (username: string) => users.get(username)!.id
  return transact(database, command, (tx) => act(tx, step, memory, idOf))
}

async function act(tx: Tx, step: Step, { projects, tasks }: Memory, idOf: (username: string) => number): Promise<void> {
  switch (step.does) {
    case 'create project': {
      const { project: code, name, description, startDate, endDate } = step
      return keep(projects, code, await createProject(tx, { code, name, description, startDate, endDate }, undefined))
    }
    case 'add member':
      return addMember(tx, projects.get(step.project)!.id, idOf(step.member))
    case 'extend project': {
      const { id, version } = projects.get(step.project)!
      return keep(projects, step.project, await updateProject(tx, id, { version, endDate: step.endDate }))
    }
    case 'archive project': {
      const { id, version } = projects.get(step.project)!
      return keep(projects, step.project, await archiveProject(tx, id, { version }))
    }
    case 'create task': {
      const { title, description, priority, dueDate, assignee } = step
      const draft = { title, description, priority, dueDate, assigneeId: assignee && idOf(assignee) }
      return keep(tasks, step.task, await createTask(tx, projects.get(step.project)!.id, draft as never))
    }
    case 'update task': {
      const { id, version } = tasks.get(step.task)!
      const { assignee, ...change } = step.patch
      const patch = { ...change, version, ...(assignee && { assigneeId: idOf(assignee) }) }
      return keep(tasks, step.task, await updateTask(tx, id, patch))
    }
    case 'comment':
      return void (await addComment(tx, tasks.get(step.task)!.id, step.content))
    case 'read the inbox':
      return markAllRead(tx, { receiverId: tx.actor.id })
    default:
      return step satisfies never
  }
}

function keep(memory: Map<string, Subject>, name: string, { id, version }: Subject): void {
  memory.set(name, { id, version })
}
