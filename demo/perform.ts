import { transact } from '../src/data/tx/transact.ts'
import type { Database } from '../src/data/wire/database.ts'
import type { Storage } from '../src/domains/files/storage/storage.ts'
import { type User, visitor } from '../src/kernel/actor.ts'
import { instantOf } from './calendar.ts'
import { upload, wayOf } from './deeds.ts'
import { type Memory, remember } from './recall.ts'
import { type Step, VISITOR } from './steps.ts'
import type { Known, Office, Subject } from './way.ts'

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
  office: Office
}

/**
 * Performs steps as the people of the story, through the actions and at the time of the story. They begin in order of
 * time, up to `width` concurrently, and those of one project follow each other, so ids rise with time.
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
    // A reader of the inbox must find all earlier notifications in it.
    if (step.does === 'read the inbox') await Promise.all(running)
    if (signal.aborted) break
    const lane = laneOf(step)
    const turn = Promise.resolve(lanes.get(lane))
      .then(() => performOne(means, step, requestId))
      .then(() => onDone(step))
      .finally(() => running.delete(turn))
    // The race above and the wait below handle a failure; this only keeps it from counting as unhandled.
    turn.catch(() => {})
    running.add(turn)
    lanes.set(lane, turn)
  }
  await Promise.all(running)
}

/** What a step may build on was done before it in the same lane, or long ago. */
function laneOf(step: Step): string {
  if ('project' in step && step.project) return step.project
  if ('approval' in step && step.approval) return step.approval
  if ('department' in step) return `${step.company}: departments`
  if (step.does === 'read the inbox' || (step.does === 'upload file' && !step.article)) return step.by
  return `${step.company}: pages`
}

async function performOne(
  { database, storage, stages, memory, office }: Means,
  step: Step,
  requestId: string,
): Promise<void> {
  const { tenantId, users } = stages.get(step.company)!
  const command = {
    tenantId,
    actor: (step.by === VISITOR ? visitor : users.get(step.by)!) as User,
    requestId,
    at: momentOf(step),
  }
  const known: Known = {
    person: (username) => users.get(username)!.id,
    the: (name) => memory.get(`${step.company} ${name}`)!,
    office,
  }
  if (step.does === 'upload file')
    return upload(storage, tenantId, step, known, (enterFile) => transact(database, command, enterFile))
  const made = await transact(database, command, async (tx) => wayOf(step).act(tx, step, known))
  remember(memory, step, made as Subject | undefined)
}

/** When a step is done. What is open, such as an order for fifteen minutes, is done by the real clock. */
function momentOf(step: Step): string | undefined {
  if ('daysAgo' in step) return new Date(Date.now() - step.daysAgo * 86_400_000).toISOString()
  return 'isOpen' in step && step.isOpen ? undefined : instantOf(step.at)
}
