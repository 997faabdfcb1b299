import { expect, test } from 'vitest'
import { VARIABLES } from '../../src/config/variables.ts'
import { describePlugins, idleVariables, importDomains, PLUGIN_NAMES, variablesOf } from '../../src/load-domains.ts'
import { expectNone } from '../support/expect-none.ts'

const none = await importDomains({ plugins: ['none'], domains: [] })

test('each plug-in says what it is for', async () => {
  const silent = (await describePlugins(none)).filter(({ about }) => about === '')
  expectNone(silent.map(({ name }) => `${name} has no \`about\`: say in ${name}.domain.ts what it is for`))
})

test('each variable that a plug-in names is read, and is of no other', () => {
  const all = PLUGIN_NAMES.flatMap((plugin) => variablesOf(plugin).map((name) => ({ plugin, name })))
  const unread = all.filter(({ name }) => !VARIABLES.some((variable) => variable.name === name))
  expectNone(unread.map(({ plugin, name }) => `${plugin} names ${name}, which src/config does not read`))
  const twice = all.filter(({ name }, at) => all.findIndex((other) => other.name === name) < at)
  expectNone(twice.map(({ plugin, name }) => `${plugin} names ${name}, and so does another plug-in`))
})

test('a variable of a plug-in that is off is known, and one of a plug-in that is on is not idle', async () => {
  const all = await importDomains({ plugins: ['all'], domains: [] })
  const given = VARIABLES.map(({ name }) => name)
  const named = PLUGIN_NAMES.flatMap(variablesOf)
  expect(idleVariables({ given }, none).map(({ name }) => name)).toEqual(named)
  expect(idleVariables({ given }, all)).toEqual([])
})
