import { InvalidConfiguration } from '../../src/config/config.ts'
import type { Environment } from '../../src/config/environment.ts'
import { command } from '../cli/command.ts'
import { Refusal } from '../cli/refusal.ts'
import { say, sayJson } from '../cli/terminal.ts'
import { configOf, withUrl } from '../cli/workplace.ts'
import { checkConfiguration } from './configuration.ts'
import { checkDatabase } from './database.ts'
import { type Finding, failed } from './finding.ts'
import { checkFiles, checkMail, checkRedis } from './surroundings.ts'

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

/** Everything that can be found out: a failed check does not hide the others. */
async function examine(environment: Environment): Promise<Finding[]> {
  const findings = checkConfiguration(environment)
  try {
    const config = configOf(environment)
    const database = withUrl(config, (url) => checkDatabase(config, url)).catch((error) => [noDatabase(error)])
    const others = Promise.all([checkRedis(config.redisUrl), checkFiles(config.files), checkMail(config)])
    return [...findings, ...(await database), ...(await others).flat()]
  } catch (error) {
    if (error instanceof InvalidConfiguration) return findings
    throw error
  }
}

function noDatabase(error: Error): Finding {
  if (!(error instanceof Refusal)) throw error
  return failed('database', error.message, 'atrium migrate up')
}

function linesOf({ check, verdict, what, remedy }: Finding): string {
  const line = `${verdict.padEnd(4)}  ${check.padEnd(13)}  ${what}`
  return remedy ? `${line}\n${' '.repeat(21)}→ ${remedy}` : line
}
