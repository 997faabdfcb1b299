import { type Finding, failed, ok, warn } from '../../src/atrium/finding.ts'
import { InvalidConfiguration, readConfig } from '../../src/config/config.ts'
import { type Environment, strayNames } from '../../src/config/environment.ts'
import { effectiveValues } from '../cli/config.ts'

/** Would the service start with these variables, and are any of them not read? */
export function checkConfiguration(environment: Environment): Finding[] {
  return [...problems(environment), ...strayNames(environment).map(stray)]
}

function problems(environment: Environment): Finding[] {
  try {
    const { production } = readConfig(environment, () => 'made at the first start, for development')
    const set = effectiveValues(environment).filter(({ source }) => source !== 'default').length
    return [ok('configuration', `valid, for ${production ? 'production' : 'development'}; ${set} variables are set`)]
  } catch (error) {
    if (!(error instanceof InvalidConfiguration)) throw error
    return error.problems.map(([name, what]) => failed('configuration', `${name}: ${what}`, 'see: .env.example'))
  }
}

function stray({ name, meant }: { name: string; meant: string | undefined }): Finding {
  return warn('configuration', `${name} is not read`, meant ? `was ${meant} meant?` : 'see: .env.example')
}
