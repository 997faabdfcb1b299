import { InvalidConfiguration } from '../../src/config/config.ts'
import type { Environment } from '../../src/config/environment.ts'
import { idleVariables, loadDomains } from '../../src/load-domains.ts'
import { Refusal } from '../cli/refusal.ts'
import { configOf, withUrl } from '../cli/workplace.ts'
import { checkConfiguration } from './configuration.ts'
import { checkDatabase } from './database.ts'
import { type Finding, failed, warn } from './finding.ts'
import { checkFiles, checkMail, checkRedis } from './surroundings.ts'

/**
 * Everything that can be found out: a failed check does not hide the others.
 * @param url of the database that the service uses, if it asks about itself
 */
export async function examine(environment: Environment, url?: string): Promise<Finding[]> {
  const findings = checkConfiguration(environment)
  try {
    const config = configOf(environment)
    const check = (url: string) => checkDatabase(config, url)
    const found = await Promise.all([
      (url ? check(url) : withUrl(config, check)).catch((error) => [noDatabase(error)]),
      checkRedis(config.redisUrl),
      checkFiles(config.files),
      checkMail(config),
    ])
    const idle = idleVariables(config, await loadDomains(config))
    return [...findings, ...idle.map(ofPluginOff), ...found.flat()]
  } catch (error) {
    if (error instanceof InvalidConfiguration) return findings
    throw error
  }
}

function ofPluginOff({ name, plugin }: { name: string; plugin: string }): Finding {
  return warn('configuration', `${name} is not read`, `the plug-in ${plugin} is off; PLUGINS turns it on`)
}

function noDatabase(error: Error): Finding {
  if (!(error instanceof Refusal)) throw error
  return failed('database', error.message, 'atrium migrate up')
}
