import { list } from '../src/data/sql/verbs.ts'
import type { Scope } from '../src/data/tx/scope.ts'
import type { Database } from '../src/data/wire/database.ts'
import type { Sealer } from '../src/util/seal.ts'
import { wayOf } from './deeds.ts'
import { type Found, findInCore } from './found.ts'
import { parts } from './parts.ts'
import type { Step } from './steps.ts'
import type { Subject } from './way.ts'

/** Everything in a tenant that a step may have made. */
async function findMade(scope: Scope, sealer: Sealer): Promise<Found> {
  const made = await Promise.all(parts.map((part) => part.findMade(scope, sealer)))
  return Object.assign({}, await findInCore(scope), ...made)
}

/** What has been made, by company, kind and name, for the steps that need it. */
export type Memory = Map<string, Required<Subject>>

/** Remembers what a step has made or changed, if other steps need it. */
export function remember(memory: Memory, step: Step, subject: Subject | undefined): void {
  const name = wayOf(step).about?.(step)
  if (name && subject) memory.set(`${step.company} ${name}`, { id: subject.id, version: subject.version ?? 0 })
}

/**
 * Reads which steps have been done already, so that an interrupted seed continues where it stopped. Work on projects is
 * found by the request ids of its activities, which it commits; everything else by what it has made, which has a unique
 * name or time.
 * @param scopes of the existing companies, by their codes
 * @param edition names the version of the story
 * @returns what the remaining steps need to know, and the numbers of the steps that were done; a story of another
 * edition counts as complete
 */
export async function recall(
  { sealer }: Pick<Database, 'sealer'>,
  scopes: Map<string, Scope>,
  steps: Step[],
  edition: string,
) {
  const memory: Memory = new Map()
  const done = new Set<number>()
  const traces = await findTraces([...scopes.values()])
  const another = [...traces.keys()].some((requestId) => !requestId.startsWith(`demo-${edition}-`))
  if (another) return { memory, done: new Set(steps.keys()) }
  const made = new Map<string, Found>()
  for (const [company, scope] of scopes) made.set(company, await findMade(scope, sealer!))
  for (const [number, step] of steps.entries()) {
    const { about, left } = wayOf(step)
    const found = made.get(step.company)
    const trace = traces.get(requestIdOf(edition, number))
    const before = about && memory.get(`${step.company} ${about(step)}`)
    const subject = left
      ? found && left(step, found)
      : trace && { id: before?.id ?? trace.taskId ?? trace.projectId!, version: before ? before.version + 1 : 0 }
    if (!subject) continue
    done.add(number)
    if (typeof subject === 'object') remember(memory, step, subject)
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
