/** Fails with the problems themselves, one sentence a line, each once. A sentence names the place and the cure. */
export function expectNone(problems: Iterable<string>): void {
  const sentences = [...new Set(problems)]
  if (sentences.length) throw new Error(sentences.join('\n'))
}
