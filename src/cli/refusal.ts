import { InvalidConfiguration } from '../config/config.ts'
import { SetupProblem } from '../data/setup/setup-problem.ts'
import { Unavailable } from '../data/wire/unavailable.ts'
import { DirectoryInUse } from '../embedded/embedded.ts'
import { Fault } from '../kernel/fault.ts'

/** Something that cannot be done; the message says why, fit for a terminal. */
export class Refusal extends Error {
  override name = 'Refusal'
}

/** What to tell of an error: its sentence where somebody can act on it, its stack where the mistake is ours. */
export function explain(error: Error & { code?: string; errors?: Error[] }): string {
  const isSentence = [Refusal, InvalidConfiguration, DirectoryInUse, SetupProblem].some((kind) => error instanceof kind)
  if (isSentence) return error.message
  if (error instanceof Fault)
    return [`${error.message} (${error.type}).`, ...error.details.map(({ message }) => `  ${message}`)].join('\n')
  if (error instanceof Unavailable || isFromOutside(error)) return `${reasonOf(error)}.`
  return String(error.stack)
}

/** The files, the network or the database say so. */
function isFromOutside({ code = '' }: { code?: string }): boolean {
  return /^E[A-Z]+$/.test(code) || /^(08|28|3D|42501|53|57)/.test(code)
}

/** The sentence of an error of the network, the files or the database; several attempts are told by the first. */
export function reasonOf(error: Error & { code?: string; errors?: Error[] }): string {
  return error.message || error.errors?.[0]?.message || error.code || error.name
}
