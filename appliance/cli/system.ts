import { hostname, userInfo } from 'node:os'
import { type CommandLine, type Commands, Refusal } from '../../src/atrium/command-line.ts'
import { auditTrail, tenantDirectory } from '../../src/atrium/ports/serving.ts'
import { type Environment, readVariables } from '../../src/config/environment.ts'
import type { Tx } from '../../src/data/tx/scope.ts'
import { transact } from '../../src/data/tx/transact.ts'
import { blockOf } from '../../src/http/request/tenancy.ts'
import { FIRST_TENANT, type System, system } from '../../src/kernel/actor.ts'
import { loadDomains } from '../../src/load-domains.ts'
import { joined } from './command.ts'
import { save } from './save.ts'
import { openProgress, readPassword, remark, say, sayJson, unlessStopped } from './terminal.ts'
import { bringUp, configOf, withDatabase, withUrl } from './workplace.ts'

export const actAs: CommandLine['actAs'] = (database, tenantId, command, action) => {
  const beforeCommit = (tx: Tx<System>) =>
    auditTrail.get().recordCommand(tx, `atrium ${command}`, `${userOf()}@${hostname()}`)
  return transact(database, { tenantId, actor: system, requestId: crypto.randomUUID(), beforeCommit }, action)
}

/** An account may have no name, as in some containers, but always has a number. */
function userOf(): string {
  try {
    return userInfo().username
  } catch {
    return String(process.getuid?.() ?? 'unknown')
  }
}

const tenantOf: CommandLine['tenantOf'] = async (database, code) => {
  const found = await tenantDirectory.get().byCode(database, code)
  if (found) return found
  await assertBegun(database)
  throw new Refusal(`There is no tenant ${code}; see: atrium tenant list`)
}

/** The first tenant is what everything else belongs to. */
export const assertBegun: CommandLine['assertBegun'] = async (database) => {
  if (await tenantDirectory.get().byId(database, FIRST_TENANT)) return
  throw new Refusal(
    'There is no tenant yet: the first start of the service makes the first one, or: atrium admin create',
  )
}

const commandLine: CommandLine = {
  config: () => configOf(process.env),
  ...{ say, sayJson, remark, readPassword, openProgress, unlessStopped, save, actAs, tenantOf, assertBegun },
  whyClosed: (tenant) => blockOf(tenant)?.message,
  withUrl: (use) => withUrl(configOf(process.env), use),
  migrate: (url, options) => bringUp(configOf(process.env), url, options),
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
