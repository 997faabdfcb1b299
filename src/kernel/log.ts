/** Where every room writes what operators should know: first the facts, then one sentence. */
export interface Log {
  info(facts: object, message: string): void
  warn(facts: object, message: string): void
  error(facts: object, message: string): void
}
