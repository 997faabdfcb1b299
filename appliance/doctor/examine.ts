import { Refusal } from '../../src/atrium/command-line.ts'
import type { Domain } from '../../src/atrium/domain.ts'
import { type Finding, failed, warn } from '../../src/atrium/finding.ts'
import { InvalidConfiguration } from '../../src/config/config.ts'
import type { Environment } from '../../src/config/environment.ts'
import { idleVariables, loadDomains } from '../../src/load-domains.ts'
import { configOf, withUrl } from '../cli/workplace.ts'
import { checkConfiguration } from './configuration.ts'
import { checkDatabase, type NamedChecks } from './database.ts'

/**
 * Everything that can be found out: a failed check does not hide the others.
 * @param url of the database that the service uses, if it asks about itself
 */
export async function examine(environment: Environment, url?: string): Promise<Finding[]> {
  const findings = await checkConfiguration(environment)
  try {
    const config = configOf(environment)
    const domains = await loadDomains(config)
    const checks = await checksOf(domains)
    const check = (url: string) => checkDatabase(config, url, checks)
    const found = await Promise.all([
      (url ? check(url) : withUrl(config, check)).catch((error) => [noDatabase(error)]),
      ...checks.map(({ surroundings }) => surroundings?.(config) ?? []),
    ])
    return [...findings, ...idleVariables(config, domains).map(ofPluginOff), ...found.flat()]
  } catch (error) {
    if (error instanceof InvalidConfiguration) return findings
    throw error
  }
}

async function checksOf(domains: readonly Domain[]): Promise<NamedChecks[]> {
  const loaded = domains.map(async ({ name, checks }) => ({ name, ...(await checks?.())?.checks }))
  return Promise.all(loaded)
}

function ofPluginOff({ name, plugin }: { name: string; plugin: string }): Finding {
  return warn('configuration', `${name} is not read`, `the plug-in ${plugin} is off; PLUGINS turns it on`)
}

function noDatabase(error: Error): Finding {
  if (!(error instanceof Refusal)) throw error
  return failed('database', error.message, 'atrium migrate up')
}
