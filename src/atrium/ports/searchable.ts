import type { SearchedRange, SearchedThing } from '../../data/lists/searched.ts'
import type { Scope } from '../../data/tx/scope.ts'
import type { User } from '../../kernel/actor.ts'
import { ports } from '../port.ts'

/**
 * A kind of thing that people search for. Its domain provides it with the rule that it has already: who sees the thing by
 * its own route finds it. `Sees` is what that domain's `…SeenBy` returns.
 */
export interface Searchable<Sees extends object> {
  /** its name in a result */
  readonly type: string
  /** what its events happen to, if they call it something else */
  readonly subject?: string
  /** what a person sees of the kind; undefined if nothing */
  seenBy(user: User): Sees | undefined
  /** those that are seen, in the order of their ids; without a filter all of the tenant */
  list(scope: Scope, wanted: Sees & SearchedRange): Promise<SearchedThing[]>
}

export const searchables = ports<Searchable<any>>('kinds of things that people search for')
