import { isOfDomain, type Source } from './source.ts'

const GUARD = /^export const (\w+) = (?:directory\s*\.)?(?:lock|lockAll|requireAtCommit|updateIfUnchanged)(?:<.*>)?\(/gm

/** What is relied on by several actions, in a function of its own. */
const RELIANCE = /^export (?:async )?function (relyOn\w+)\(/gm

/** What each function of the domains locks, and what it wants to be so at its commit: `tasks.createTask: stillActive`. */
export function listGuardedActions(sources: readonly Source[]): string[] {
  const inDomains = sources.filter(isOfDomain)
  const guards = inDomains.flatMap(({ text }) =>
    [...text.matchAll(GUARD), ...text.matchAll(RELIANCE)].map(([, name]) => name!),
  )
  return inDomains
    .filter(({ path }) => !path.endsWith('.store.ts'))
    .flatMap(({ path, text }) =>
      [...text.matchAll(/^(?:export )?(?:async )?function (\w+)\([\s\S]*?^\}/gm)].flatMap(([whole, name]) => {
        const called = guards.filter((guard) => guard !== name && new RegExp(`\\b${guard}\\(`).test(whole))
        return called.length ? [`${path.split('/')[2]}.${name}: ${[...new Set(called)].sort().join(', ')}`] : []
      }),
    )
    .sort()
}

/** Guards that were there in the review and are there no more, each with its place and what to do. */
export function findForgottenGuards(reviewed: readonly string[], now: readonly string[]): string[] {
  const guardsOf = (lines: readonly string[]) =>
    new Map(lines.map((line) => [line.split(': ')[0]!, new Set(line.split(': ')[1]?.split(', '))]))
  const present = guardsOf(now)
  return [...guardsOf(reviewed)].flatMap(([action, guards]) =>
    [...guards]
      .filter((guard) => !present.get(action)?.has(guard))
      .map(
        (guard) =>
          `${action} no longer calls ${guard}, and what it has read may change before it commits: call it, or remove it from test/contract/guards.txt`,
      ),
  )
}
