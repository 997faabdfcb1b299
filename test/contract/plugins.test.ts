import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { type InvalidConfiguration, readConfig } from '../../src/config/config.ts'
import { ownerOf, variablesOfPlugins } from '../../src/config/environment.ts'
import { VARIABLES } from '../../src/config/variables.ts'
import { describePlugins, idleVariables, importDomain, importDomains, loadDomains } from '../../src/load-domains.ts'
import { expectNone } from '../support/expect-none.ts'

const none = await importDomains({ plugins: ['none'], domains: [] })

test('each plug-in says what it is for', async () => {
  const silent = (await describePlugins(none)).filter(({ about }) => about === '')
  expectNone(silent.map(({ name }) => `${name} has no \`about\`: say in ${name}.domain.ts what it is for`))
})

test('a plug-in without a domain is named by its file, and one from outside by DOMAINS', async () => {
  const folder = join(mkdtempSync(join(tmpdir(), 'atrium-plug-in-')), 'broken')
  onTestFinished(() => rmSync(dirname(folder), { recursive: true }))
  mkdirSync(folder)
  writeFileSync(join(folder, 'broken.domain.ts'), 'export default {}')

  const place = relative('.', join(folder, 'broken.domain.ts'))
  await expect(importDomain(folder)).rejects.toMatchObject({ problems: [[place, expect.stringMatching(/^does not/)]] })
  const problem = expect.stringMatching(/^\.\/broken does not export/)
  await expect(importDomain(folder, './broken')).rejects.toMatchObject({ problems: [['DOMAINS', problem]] })
})

test('each variable that a plug-in names is read, and is of no other', () => {
  const all = variablesOfPlugins()
  const unread = all.filter(({ name }) => !VARIABLES.some((variable) => variable.name === name))
  expectNone(unread.map(({ plugin, name }) => `${plugin} names ${name}, which src/config does not read`))
  const twice = all.filter(({ name }, at) => all.findIndex((other) => other.name === name) < at)
  expectNone(twice.map(({ plugin, name }) => `${plugin} names ${name}, and so does another plug-in`))
})

test('a variable of a plug-in that is off is known, and one of a plug-in that is on is not idle', async () => {
  const all = await importDomains({ plugins: ['all'], domains: [] })
  const given = VARIABLES.map(({ name }) => name)
  expect(idleVariables({ given }, none)).toEqual(variablesOfPlugins())
  expect(idleVariables({ given }, all)).toEqual([])
})

describe('what is wrong with the variables of a plug-in', () => {
  const variables = variablesOfPlugins()
  const owners = new Set(variables.map(({ plugin }) => plugin))
  /** Each variable of the others names a file that is not there, which nothing can be read from. */
  const read = (plugins: string, more: { PORT?: string } = {}, without?: string) => {
    const wrong = variables.filter(({ plugin }) => plugin !== without).map(({ name }) => [`${name}_FILE`, '/not/there'])
    return readConfig({ PLUGINS: plugins, ...Object.fromEntries(wrong), ...more }, () => 'generated')
  }

  test('is no matter where it is off', async () => {
    const config = read('none')
    expect(idleVariables(config, await loadDomains(config))).toEqual(variables)
    expect(ownersOf(() => read('none', { PORT: 'x' }))).toEqual(['the core'])
  })

  test('is refused together with all else where it is on', () => {
    for (const plugin of owners) expect(ownersOf(() => read(plugin, { PORT: 'x' }))).toEqual(['the core', plugin])
  })

  test('is refused where another one brings it along', async () => {
    for (const { name, needs } of await describePlugins(none)) {
      const along = needs.filter((need) => owners.has(need))
      const refused = along.length > 0 ? ownersIn(await loadDomains(read(name, {}, name)).catch((e) => e)) : []
      expect(refused, name).toEqual(expect.arrayContaining(along))
    }
  })

  function ownersIn({ problems }: InvalidConfiguration): string[] {
    return [...new Set(problems.map((problem) => ownerOf(problem) ?? 'the core'))]
  }

  function ownersOf(attempt: () => unknown): string[] {
    try {
      attempt()
    } catch (error) {
      return ownersIn(error as InvalidConfiguration)
    }
    throw new Error('nothing was refused')
  }
})
