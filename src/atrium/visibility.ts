declare const SEEN: unique symbol

/**
 * What a person may see of a kind: a filter, and a parameter of each statement that reads the kind. It is branded, so
 * an object literal does not qualify, and a statement that is called without it does not compile.
 */
export type Seen<Kind extends string, Filter extends object> = Filter & { readonly [SEEN]: Kind }

/** Makes one: only in the function of a domain that decides what a person sees. */
export function seen<Kind extends string, Filter extends object>(filter: Filter): Seen<Kind, Filter> {
  return filter as Seen<Kind, Filter>
}

/** Every row of the tenant, of any kind. @param _reason for the reader: why it is not what one person sees */
export function seesEverything(_reason: string): Seen<never, object> {
  return seen({})
}
