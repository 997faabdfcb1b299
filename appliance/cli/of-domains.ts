import type { CommandLine, Commands } from '../../src/atrium/command-line.ts'
import { type Environment, readVariables } from '../../src/config/environment.ts'
import { loadDomains } from '../../src/load-domains.ts'
import { actAs, tenantOf } from './system.ts'
import { remark, say, sayJson } from './terminal.ts'
import { configOf, withDatabase } from './workplace.ts'

const commandLine: CommandLine = {
  config: () => configOf(process.env),
  ...{ say, sayJson, remark, actAs, tenantOf },
  withDatabase: (use) => withDatabase(configOf(process.env), use),
}

/**
 * The commands of the domains that are on. It reads only the variables that say which these are, because a command may
 * be about the others.
 * @throws InvalidConfiguration that names an unknown plug-in, or a path without a domain
 */
export async function commandsOfDomains(environment: Environment): Promise<Commands> {
  const domains = await loadDomains(readVariables(environment).readings)
  const modules = await Promise.all(domains.flatMap(({ commands }) => commands?.() ?? []))
  return modules.reduce<Commands>((all, { commands }) => joined(all, commands(commandLine)), {})
}

/** Groups of the same name become one. */
export function joined(some: Commands, more: Commands): Commands {
  const all = { ...some }
  for (const [name, it] of Object.entries(more)) {
    const known = all[name]
    if (known === undefined) all[name] = it
    else if ('commands' in known && 'commands' in it)
      all[name] = { ...known, commands: joined(known.commands, it.commands) }
    else throw new Error(`Two domains have a command ${name}`)
  }
  return all
}
