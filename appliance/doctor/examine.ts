import { Refusal } from '../../src/atrium/command-line.ts'
import type { Domain } from '../../src/atrium/domain.ts'
import { type Finding, failed, ok, warn } from '../../src/atrium/finding.ts'
import { InvalidConfiguration } from '../../src/config/config.ts'
import { type Environment, strayNames } from '../../src/config/environment.ts'
import { idleVariables, loadDomains } from '../../src/load-domains.ts'
import { effectiveValues, proveStart } from '../cli/config.ts'
import { configOf, withUrl } from '../cli/workplace.ts'
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

/** Would the service start with these variables, and are any of them not read? */
async function checkConfiguration(environment: Environment): Promise<Finding[]> {
  return [...(await problems(environment)), ...strayNames(environment).map(stray)]
}

async function problems(environment: Environment): Promise<Finding[]> {
  try {
    const config = await proveStart(environment)
    const set = effectiveValues(environment).filter(({ source }) => source !== 'default').length
    return [
      ok('configuration', `valid, for ${config.production ? 'production' : 'development'}; ${set} variables are set`),
    ]
  } catch (error) {
    if (!(error instanceof InvalidConfiguration)) throw error
    return error.problems.map(([name, what]) => failed('configuration', `${name}: ${what}`, 'see: .env.example'))
  }
}

function stray({ name, meant }: { name: string; meant: string | undefined }): Finding {
  return warn('configuration', `${name} is not read`, meant ? `was ${meant} meant?` : 'see: .env.example')
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
