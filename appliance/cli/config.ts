import { command } from '../../src/atrium/command-line.ts'
import { readConfig } from '../../src/config/config.ts'
import { strayNames } from '../../src/config/environment.ts'
import { table } from './command.ts'
import { effectiveValues } from './effective.ts'
import { explain } from './refusal.ts'
import { remark, say, sayJson } from './terminal.ts'

export const configuration = command({
  about: 'Show the configuration as the service would read it here, with secrets masked',
  detail: 'Exit code 1 if the service would refuse to start with it.',
  options: { json: { type: 'boolean', about: 'as JSON' } },
  run: async ({ json }) => {
    const values = effectiveValues(process.env)
    const problem = problemOf(process.env)
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
export function problemOf(environment: NodeJS.ProcessEnv): string | undefined {
  try {
    readConfig(environment, () => 'made at the first start, for development')
    return undefined
  } catch (error) {
    return explain(error as Error)
  }
}
