import { InvalidConfiguration } from '../../src/config/config.ts'
import { SetupProblem } from '../../src/data/setup/setup-problem.ts'
import { Unavailable } from '../../src/data/wire/unavailable.ts'
import { Fault } from '../../src/kernel/fault.ts'
import { EmbeddedProblem } from '../embedded/embedded-problem.ts'

/** Something that cannot be done; the message says why, fit for a terminal. */
export class Refusal extends Error {
  override name = 'Refusal'
}

/** What to tell of an error: its sentence where somebody can act on it, its stack where the mistake is ours. */
export function explain(error: Error & { code?: string; errors?: Error[] }): string {
  const isSentence = [Refusal, InvalidConfiguration, EmbeddedProblem, SetupProblem].some(
    (kind) => error instanceof kind,
  )
  if (isSentence) return error.message
  if (error instanceof Fault)
    return [`${error.message} (${error.type}).`, ...error.details.map(({ message }) => `  ${message}`)].join('\n')
  const advice = adviceOn(error)
  if (advice) return advice
  if (error instanceof Unavailable || isFromOutside(error)) return `${reasonOf(error)}.`
  return String(error.stack)
}

/** The files, the network, a certificate or the database say so. */
function isFromOutside({ code = '' }: { code?: string }): boolean {
  return /^E[A-Z]+$/.test(code) || /^(08|28|3D|42501|53|57)/.test(code) || /CERT|^ERR_TLS_/.test(code)
}

/** The sentence of an error of the network, the files or the database; several attempts are told by the first. */
export function reasonOf(error: Error & { code?: string; errors?: Error[] }): string {
  return error.message || error.errors?.[0]?.message || error.code || error.name
}

/** What Node adds to an error of the system, each where it fits. */
interface SystemError extends Error {
  code?: string
  syscall?: string
  path?: string
  address?: string
  port?: number
}

/** What an error of the system means, and what can be done about it; undefined where its own words have to do. */
function adviceOn({ code, syscall, path, address, port }: SystemError): string | undefined {
  const isListening = syscall === 'listen'
  switch (code) {
    case 'EADDRINUSE':
      return `Port ${port} is in use by another program. Stop that one, or choose another port: PORT=${Number(port) + 1} npm start`
    case 'EADDRNOTAVAIL':
      return isListening ? `${address} is no address of this machine; HOST names the one to listen on.` : undefined
    case 'EACCES':
    case 'EPERM':
      if (isListening) return `This user may not listen on port ${port}; choose one above 1023 by PORT.`
      return (
        path && `This user may not write or read ${path}. Give it to them, or choose another directory by DATA_DIR.`
      )
    case 'ENOENT':
      return syscall === 'mkdir'
        ? `${path} cannot be made. Choose another directory by DATA_DIR or FILE_STORAGE_ROOT.`
        : undefined
    case 'EROFS':
      return `${path} cannot be written: its disk is read-only. Choose another directory by DATA_DIR.`
    case 'ENOSPC':
      return `No room is left on the disk${path ? ` of ${path}` : ''}. Make some and start again: what was written before is whole.`
    default:
      return undefined
  }
}
