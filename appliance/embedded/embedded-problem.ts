/** Why the embedded PostgreSQL cannot be used here. The message is fit for a terminal. */
export class EmbeddedProblem extends Error {
  override name = 'EmbeddedProblem'
}
