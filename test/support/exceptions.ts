import { readFileSync } from 'node:fs'
import { filesLike } from './domains.ts'
import { expectNone } from './expect-none.ts'

/** A place that breaks a rule. */
export interface Breach {
  /** what an exception names: `tasks.listTasks`, `users.manager_id` or a path */
  place: string
  /** the sentence of the failure, with the cure */
  says: string
}

type Exceptions = Record<string, Record<string, string>>
/** Those of the core, and those of each plug-in and domain from outside, which has its own. */
const exceptions = filesLike('test/contract/exceptions.json', 'test/exceptions.json').map(
  (file): Exceptions => JSON.parse(readFileSync(file, 'utf8')),
)

/** The places that are excused from a rule, each with the reason. */
export function excusedFrom(rule: string): Record<string, string> {
  return Object.assign({}, ...exceptions.map((each) => each[rule]))
}

/**
 * Fails with the sentence of each breach that is not a reviewed exception, and with one for each exception that no
 * longer excuses anything.
 * @param rule its name in exceptions.json
 */
export function expectOnlyExceptions(rule: string, breaches: readonly Breach[]): void {
  const excused = excusedFrom(rule)
  const broken = new Set(breaches.map(({ place }) => place))
  expectNone([
    ...breaches
      .filter(({ place }) => !(place in excused))
      .map(
        ({ says }) =>
          `${says}; if it is right, name it with the reason in test/contract/exceptions.json, or in test/exceptions.json of its folder`,
      ),
    ...Object.keys(excused)
      .filter((place) => !broken.has(place))
      .map((place) => `an exceptions.json excuses ${place} from "${rule}", which it keeps: remove that line`),
  ])
}
