import { type Finding, failed, ok, warn } from '../../src/atrium/finding.ts'
import { InvalidConfiguration } from '../../src/config/config.ts'
import { type Environment, strayNames } from '../../src/config/environment.ts'
import { effectiveValues, proveStart } from '../cli/config.ts'

/** Would the service start with these variables, and are any of them not read? */
export async function checkConfiguration(environment: Environment): Promise<Finding[]> {
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
