import { command } from '../../src/atrium/command-line.ts'
import { describePlugins, loadDomains, type PluginDescription } from '../../src/load-domains.ts'
import { say, sayJson } from '../cli/terminal.ts'
import { configOf } from '../cli/workplace.ts'

export const plugins = command({
  about: 'Show the plug-ins: what each is for, what it needs, its tables, and whether it is on',
  detail:
    'PLUGINS says which are on: all, none, or names with commas. One that is on brings along those that it needs.',
  options: { json: { type: 'boolean', about: 'as JSON' } },
  run: async ({ json }) => {
    const found = await describePlugins(await loadDomains(configOf(process.env)))
    if (json) sayJson(found)
    else say(found.map(linesOf).join('\n'))
  },
})

function linesOf({ name, on, about, needs, tables }: PluginDescription): string {
  const more = [
    needs.length > 0 ? `needs ${needs.join(', ')}` : [],
    tables.length > 0 ? `tables ${tables.join(', ')}` : [],
  ].flat()
  return [
    `${on ? 'on ' : 'off'}  ${name.padEnd(17)}  ${about}`,
    ...more.map((line) => `${' '.repeat(24)}${line}`),
  ].join('\n')
}
