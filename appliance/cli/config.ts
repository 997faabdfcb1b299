import { command, table } from '../../src/atrium/command-line.ts'
import { type Config, readConfig } from '../../src/config/config.ts'
import { type Environment, type Readings, readVariables, strayNames } from '../../src/config/environment.ts'
import { BY_KEY, type Variable } from '../../src/config/variables.ts'
import { loadDomains } from '../../src/load-domains.ts'
import { explain } from './refusal.ts'
import { remark, say, sayJson } from './terminal.ts'

export const configuration = command({
  about: 'Show the configuration as the service would read it here, with secrets masked',
  detail: 'Exit code 1 if the service would refuse to start with it.',
  options: { json: { type: 'boolean', about: 'as JSON' } },
  run: async ({ json }) => {
    const values = effectiveValues(process.env)
    const problem = await problemOf(process.env)
    const strays = strayNames(process.env)
    if (json) sayJson({ values, problem: problem ?? null, strays: strays.map(({ name }) => name) })
    else say(table(values.map(({ name, shown, source }) => [name, `${shown.padEnd(36)}  ${source}`])))
    for (const { name, meant } of strays)
      remark(`${name} is not read${meant ? `; was ${meant} meant?` : ', though it looks like one of ours'}`)
    if (problem === undefined) return 0
    remark(`\n${problem}`)
    return 1
  },
})

/** Why the service would not start; undefined if it would. */
async function problemOf(environment: NodeJS.ProcessEnv): Promise<string | undefined> {
  try {
    await proveStart(environment)
    return undefined
  } catch (error) {
    return explain(error as Error)
  }
}

/** The configuration that the service would start with here. @throws InvalidConfiguration if it would not start */
export async function proveStart(environment: Environment): Promise<Config> {
  const config = readConfig(environment, () => 'made at the first start, for development')
  await loadDomains(config)
  return config
}

/** Every variable with its effective value, or blank, in the order of `.env.example`; secrets are masked. */
export function effectiveValues(environment: Environment) {
  const { readings, sourceOf } = readVariables(environment)
  return Object.entries<Variable>(BY_KEY).map(([key, variable]) => ({
    name: variable.name,
    shown: masked(variable, readings[key as keyof Readings]),
    source: sourceOf(variable.name),
  }))
}

function masked({ hidden }: Variable, value: unknown): string {
  if (value === undefined) return ''
  if (hidden === 'whole') return '***'
  return hidden === 'password' ? withoutPassword(String(value)) : String(value)
}

/** An address that cannot be parsed is hidden completely: its password could be anywhere. */
export function withoutPassword(address: string): string {
  const url = URL.parse(address)
  if (!url) return '***'
  if (url.password) url.password = '***'
  for (const name of url.searchParams.keys()) if (/pass|secret|key/i.test(name)) url.searchParams.set(name, '***')
  return url.href
}
