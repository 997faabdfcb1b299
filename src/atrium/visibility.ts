declare const SEEN: unique symbol

/**
 * What a person may see of a kind: a filter, and a parameter of each statement that reads the kind. It is branded, so an
 * object literal is not one, and a statement that is called without it does not compile.
 */
export type Seen<Kind extends string, Filter extends object> = Filter & { readonly [SEEN]: Kind }

/** Makes one: in the function of a domain that says what a person sees, and nowhere else. */
export function seen<Kind extends string, Filter extends object>(filter: Filter): Seen<Kind, Filter> {
  return filter as Seen<Kind, Filter>
}

/** Every row of the tenant, of any kind. @param _reason why it is not what one person sees: for the reader of the code */
export function seesEverything(_reason: string): Seen<never, object> {
  return seen({})
}
