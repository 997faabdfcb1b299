/** Fails with the problems as they are, a sentence a line. */
export function expectNone(problems: readonly string[]): void {
  if (problems.length) throw new Error(problems.join('\n'))
}
