import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { describe, expect, test } from 'vitest'
import { explain } from '../../appliance/cli/refusal.ts'
import { type InvalidConfiguration, readConfig } from '../../src/config/config.ts'
import { ownerOf, variablesOfPlugins } from '../../src/config/environment.ts'
import { VARIABLES } from '../../src/config/variables.ts'
import { describePlugins, idleVariables, importDomain, importDomains, loadDomains } from '../../src/load-domains.ts'
import { expectNone } from '../support/expect-none.ts'
import { newFolder } from '../support/folder.ts'

const none = await importDomains({ plugins: ['none'], domains: [] })

test('each plug-in says what it is for', async () => {
  const silent = (await describePlugins(none)).filter(({ about }) => about === '')
  expectNone(silent.map(({ name }) => `${name} has no \`about\`: say in ${name}.domain.ts what it is for`))
})

test('a plug-in without a domain is named by its file, and one from outside by DOMAINS', async () => {
  const folder = folderOf({ 'hats.domain.ts': 'export default {}' })
  const place = relative('.', join(folder, 'hats.domain.ts'))
  await expect(importDomain(folder)).rejects.toMatchObject({ problems: [[place, expect.stringMatching(/^does not/)]] })
  const problem = expect.stringMatching(/^\.\/hats does not export/)
  await expect(importDomain(folder, './hats')).rejects.toMatchObject({ problems: [['DOMAINS', problem]] })
})

describe('a declaration that cannot be loaded is one sentence with its file and the reason', () => {
  test.each([
    [{ 'hats.domain.ts': 'export default hats()' }, 'ReferenceError: hats is not defined (hats/hats.domain.ts:1)'],
    [
      { 'hats.domain.ts': "import './sizes.ts'\nexport default {}", 'sizes.ts': 'const none = undefined\nnone.size' },
      "TypeError: Cannot read properties of undefined (reading 'size') (hats/sizes.ts:2)",
    ],
    [{ 'hats.domain.ts': 'export default {\n' }, 'SyntaxError: … (hats/hats.domain.ts:1)'],
    [{ 'hats.domain.ts': "import 'hatter'" }, "Cannot find package 'hatter' imported from hats/hats.domain.ts"],
    [{ 'hats.domain.ts': "throw 'no hats'" }, 'no hats'],
  ])('%j', async (files, reason) => {
    const folder = folderOf(files)
    const error = await importDomain(folder, './hats').catch((error) => error)
    const parent = new RegExp(`(${dirname(folder)}|${relative('.', dirname(folder))})/`, 'g')
    expect(
      explain(error)
        .replace(parent, '')
        .replace(/(SyntaxError: ).* /, '$1… '),
    ).toBe(`The configuration is not valid:\n  DOMAINS: ./hats cannot be loaded: ${reason}`)
  })
})

test('a declaration that does not fit beside the others names its domain', async () => {
  const hats = "export default { name: 'hats', permissions: { 'task:create': [] } }"
  const domains = [folderOf({ 'hats.domain.ts': hats })]
  const problem = 'The permission task:create is declared by two domains'
  await expect(loadDomains({ plugins: ['none'], domains })).rejects.toMatchObject({ problems: [['hats', problem]] })
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

  test('is no matter where another plug-in would need the port of the service', async () => {
    const config = readConfig({ PLUGINS: 'none', PORT: '9464', METRICS_PORT: '9464' }, () => 'generated')
    await expect(loadDomains(config)).resolves.not.toEqual([])
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

/** A folder `hats`. */
function folderOf(files: Record<string, string | undefined>): string {
  const folder = join(newFolder(), 'hats')
  mkdirSync(folder)
  for (const [name, text = ''] of Object.entries(files)) writeFileSync(join(folder, name), text)
  return folder
}
