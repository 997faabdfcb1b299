/**
 * Something about the database that an operator must fix before the service can work. The message is fit for a
 * terminal.
 */
export class SetupProblem extends Error {
  override name = 'SetupProblem'
}
