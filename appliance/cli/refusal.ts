import { Refusal } from '../../src/atrium/command-line.ts'
import { InvalidConfiguration } from '../../src/config/config.ts'
import { SetupProblem } from '../../src/data/setup/setup-problem.ts'
import { Unavailable } from '../../src/data/wire/unavailable.ts'
import { Fault } from '../../src/kernel/fault.ts'
import { reasonOf } from '../../src/util/reason-of.ts'
import { EmbeddedProblem } from '../embedded/embedded-problem.ts'

/** The text for an error: its sentence if the operator can act on it, its stack if it is our bug. */
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

/** True for errors of the files, the network, a certificate or the database. */
function isFromOutside({ code = '' }: { code?: string }): boolean {
  return /^E[A-Z]+$/.test(code) || /^(08|28|3D|42501|53|57)/.test(code) || /CERT|^ERR_TLS_/.test(code)
}

/** What Node adds to a system error, if it applies. */
interface SystemError extends Error {
  code?: string
  syscall?: string
  path?: string
  address?: string
  port?: number
}

/** What a system error means and how to fix it; undefined if its own message has to do. */
function adviceOn({ code, syscall, path, address, port }: SystemError): string | undefined {
  const isListening = syscall === 'listen'
  switch (code) {
    case 'EADDRINUSE':
      return `Port ${port} is in use by another program. Stop that one, or choose another port: PORT=${Number(port) + 1} npm start`
    case 'EADDRNOTAVAIL':
      return isListening ? `${address} is not an address of this machine; HOST names the one to listen on.` : undefined
    case 'EACCES':
    case 'EPERM':
      if (isListening) return `This user may not listen on port ${port}; choose a PORT above 1023.`
      return (
        path && `This user may not write or read ${path}. Give them access, or choose another directory with DATA_DIR.`
      )
    case 'ENOENT':
      if (syscall === 'mkdir')
        return `${path} cannot be created. Choose another directory with DATA_DIR or FILE_STORAGE_ROOT.`
      return path && `There is no ${path}, or no folder to write it into.`
    case 'EROFS':
      return `${path} cannot be written: its disk is read-only. Choose another directory with DATA_DIR.`
    case 'ENOSPC':
      return `The disk${path ? ` of ${path}` : ''} is full. Free some space and start again: what was written before is intact.`
    default:
      return undefined
  }
}
