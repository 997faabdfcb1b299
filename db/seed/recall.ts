import type { Scope } from '../../src/data/scope.ts'
import { list } from '../../src/data/statement.ts'
import type { Memory } from './perform.ts'
import type { Step } from './story.ts'

/**
 * Reads from the history which steps have been done already: each leaves its number in the request id of the activities
 * that it commits. So an interrupted seed goes on where it stopped.
 * @param edition names the version of the story
 * @returns what the steps ahead need to know, and the numbers of the steps that were done; a story of another edition counts as told to the end
 */
export async function recall(scopes: Scope[], steps: Step[], edition: string) {
  const memory: Memory = { projects: new Map(), tasks: new Map() }
  const done = new Set<number>()
  const found = await findTraces(scopes)
  const another = [...found.keys()].some((requestId) => !requestId.startsWith(`demo-${edition}-`))
  if (another) return { memory, done: new Set(steps.keys()) }
  for (const [number, step] of steps.entries()) {
    const trace = found.get(requestIdOf(edition, number))
    if (!trace) continue
    done.add(number)
    if (step.does === 'create project') memory.projects.set(step.project, { id: trace.projectId, version: 0 })
    if (step.does === 'create task') memory.tasks.set(step.task, { id: trace.taskId!, version: 0 })
    if (step.does === 'extend project' || step.does === 'archive project') memory.projects.get(step.project)!.version++
    if (step.does === 'update task') memory.tasks.get(step.task)!.version++
  }
  return { memory, done }
}

const listTraces = list((from, p: { pattern: string }) =>
  from('activities')
    .select(['activities.requestId', 'activities.projectId', 'activities.taskId'])
    .distinct()
    .where('activities.requestId', 'like', p.pattern),
)

async function findTraces(scopes: Scope[]) {
  const traces = await Promise.all(scopes.map((scope) => listTraces(scope, { pattern: 'demo-%' })))
  return new Map(traces.flat().map((trace) => [trace.requestId, trace]))
}

export function requestIdOf(edition: string, number: number): string {
  return `demo-${edition}-${number}`
}
