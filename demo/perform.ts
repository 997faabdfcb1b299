import type { Tx } from '../src/data/tx/scope.ts'
import { transact } from '../src/data/tx/transact.ts'
import type { Database } from '../src/data/wire/database.ts'
import type { Storage } from '../src/domains/files/storage/storage.ts'
import { markAllRead } from '../src/domains/notifications/notifications.store.ts'
import { addMember, archiveProject, createProject, updateProject } from '../src/domains/projects/projects.actions.ts'
import { addComment, createTask, updateTask } from '../src/domains/tasks/tasks.actions.ts'
import { type User, visitor } from '../src/kernel/actor.ts'
import { instantOf } from './calendar.ts'
import { actInOffice, upload } from './office-acts.ts'
import { actOnPages } from './press-acts.ts'
import { VISITOR } from './publishing.ts'
import { keep, type Memory } from './recall.ts'
import type { Step } from './story.ts'

/** A company's tenant and its people by user name. */
export interface Stage {
  tenantId: number
  users: Map<string, User>
}

/** What is needed to do something in a company's name. */
export interface Means {
  database: Database
  storage: Storage
  stages: Map<string, Stage>
  memory: Memory
}

/**
 * Performs steps as the people of the story, through the actions and at the time of the story. They begin in order of
 * time, up to `width` at once, and those of one project follow each other: so ids rise with time.
 */
export async function perform(
  means: Means,
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
    const lane = laneOf(step)
    const turn = Promise.resolve(lanes.get(lane))
      .then(() => performOne(means, step, requestId))
      .then(() => onDone(step))
      .finally(() => running.delete(turn))
    // The race above and the wait below hear of a failure; this only keeps it from being called unhandled.
    turn.catch(() => {})
    running.add(turn)
    lanes.set(lane, turn)
  }
  await Promise.all(running)
}

/** What a step may build on was done before it in the same lane, or long ago. */
function laneOf(step: Step): string {
  if ('project' in step) return step.project
  if ('approval' in step) return step.approval
  if ('department' in step) return `${step.company}: departments`
  if (step.does === 'read the inbox' || step.does === 'upload file') return step.by
  return `${step.company}: pages`
}

async function performOne({ database, storage, stages, memory }: Means, step: Step, requestId: string): Promise<void> {
  const { tenantId, users } = stages.get(step.company)!
  const idOf = (username: string) => users.get(username)!.id
  const command = {
    tenantId,
    actor: (step.by === VISITOR ? visitor : users.get(step.by)!) as User,
    requestId,
    // An order is open for fifteen minutes by the true clock.
    at: step.does === 'check out' && step.isOpen ? undefined : instantOf(step.at),
  }
  if (step.does === 'upload file')
    return upload(storage, tenantId, step, (enterFile) => transact(database, command, enterFile))
  return transact(database, command, (tx) => act(tx, step, memory, idOf))
}

async function act(
  tx: Tx,
  step: Exclude<Step, { does: 'upload file' }>,
  memory: Memory,
  idOf: (username: string) => number,
): Promise<void> {
  const { projects, tasks } = memory
  switch (step.does) {
    case 'create project': {
      const { project: code, name, description, startDate, endDate } = step
      return keep(projects, code, await createProject(tx, { code, name, description, startDate, endDate }))
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
    case 'create department':
    case 'join department':
    case 'draft approval':
    case 'move approval':
    case 'decide approval':
      return actInOffice(tx, step, memory, idOf)
    case 'write section':
    case 'create category':
    case 'write article':
    case 'comment article':
    case 'hide comment':
    case 'leave message':
    case 'check out':
      return actOnPages(tx, step, memory)
    default:
      return step satisfies never
  }
}
