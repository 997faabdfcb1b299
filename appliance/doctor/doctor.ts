import { command } from '../../src/atrium/command-line.ts'
import type { Finding } from '../../src/atrium/finding.ts'
import { say, sayJson } from '../cli/terminal.ts'
import { examine } from './examine.ts'

export const doctor = command({
  about: 'Check that everything is as the service needs it, and say how to fix what is not',
  detail: 'One line each: ok, warn (it works, but less well) or FAIL. Exit code 1 if something failed.',
  options: { json: { type: 'boolean', about: 'as JSON' } },
  run: async ({ json }) => {
    const findings = await examine(process.env)
    if (json) sayJson(findings)
    else say(findings.map(linesOf).join('\n'))
    return findings.some(({ verdict }) => verdict === 'FAIL') ? 1 : 0
  },
})

function linesOf({ check, verdict, what, remedy }: Finding): string {
  const line = `${verdict.padEnd(4)}  ${check.padEnd(13)}  ${what}`
  return remedy ? `${line}\n${' '.repeat(21)}→ ${remedy}` : line
}
