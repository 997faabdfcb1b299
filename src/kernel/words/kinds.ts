import type { Words } from './domain.ts'

const resources = new Set<string>()
const activities = new Map<string, Set<string>>()

/** Registers what the activities and notifications of a domain are about, and what can happen to it. */
export function declareKinds({ resources: kinds = [], activities: declared = {} }: Words): void {
  for (const kind of kinds) resources.add(kind)
  for (const [kind, actions] of Object.entries(declared))
    activities.set(kind, new Set([...(activities.get(kind) ?? []), ...actions]))
}

/** Every kind of thing that activities and notifications are about. */
export function allResourceTypes(): readonly string[] {
  return [...resources]
}

/** What can happen to a kind of thing. */
export function allActivitiesOf(kind: string): readonly string[] {
  return [...(activities.get(kind) ?? [])]
}

/** For `.meta` of a schema: the words that domains declare, which are known when the document is written. */
export const declaredWords = (all: () => readonly string[], id?: string) => ({
  ...(id && { id }),
  get enum() {
    return all()
  },
})
