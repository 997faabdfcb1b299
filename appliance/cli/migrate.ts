import { command, type Group } from '../../src/atrium/command-line.ts'
import { inspect } from '../../src/data/setup/inspect.ts'
import type { Migration } from '../../src/data/setup/migrations.ts'
import { say, sayJson } from './terminal.ts'
import { bringUp, configOf, migrationSources, withUrl } from './workplace.ts'

const up = command({
  about: 'Bring the database to the migrations of this version',
  detail:
    'Every start of the service does this. If several run at the same time, one works and the others wait for it.',
  run: async () => {
    const config = configOf(process.env)
    const bring = (url: string) => bringUp(config, url, { allowDowngrade: config.allowDowngrade })
    const { applied } = await withUrl(config, bring, { mayMake: true })
    say(applied.length ? applied.map((name) => `migrated  ${name}`).join('\n') : 'Nothing to do: all are applied.')
  },
})

const status = command({
  about: 'Show which migrations are applied',
  detail: 'Exit code 1 if some are missing, or differ from what was applied.',
  options: { json: { type: 'boolean', about: 'as JSON' } },
  run: async ({ json }) => {
    const config = configOf(process.env)
    const sources = await migrationSources(config)
    const { migrations } = await withUrl(config, (url) => inspect(url, sources))
    if (json) sayJson(migrations.map(({ name, state, appliedAt = null }) => ({ name, state, appliedAt })))
    else say(migrations.map(lineOf).join('\n'))
    return migrations.every(({ state }) => state !== 'missing' && state !== 'changed') ? 0 : 1
  },
})

export const migrations: Group = { about: 'Migrations of the database', commands: { up, status } }

function lineOf({ name, state, appliedAt }: Migration): string {
  const when = appliedAt ? `  ${appliedAt.toISOString()}` : ''
  const of =
    state === 'unknown' ? '  not of this version' : state === 'foreign' ? '  of a domain that is not loaded' : ''
  return `${state.padEnd(8)}  ${name}${when}${of}`
}
