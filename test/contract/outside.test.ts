import { spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, globSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { outside } from '../support/domains.ts'
import { expectNone } from '../support/expect-none.ts'
import { newFolder } from '../support/folder.ts'
import { isHere } from '../support/plugins.ts'
import { TSC } from '../support/programs.ts'

const MODULES = fileURLToPath(new URL('../../node_modules/', import.meta.url))
/** What the compiler has seen of a domain before, so that it looks only at what has changed. */
const seenOf = (name: string) => `${MODULES}.cache/atrium/outside-${name}.tsbuildinfo`
const FAST = { GOGC: 'off' }

/** What a domain from outside may rely on. Where DOMAINS names none there is nothing to hold. */
test('each has a name of its own', () => {
  expect(new Set(outside.map(({ name }) => name)).size).toBe(outside.length)
})

test('a folder without a package.json holds modules, as the copy of an example does', () => {
  const folder = newFolder()
  const settings = {
    extends: fileURLToPath(new URL('../../src/atrium/tsconfig.json', import.meta.url)),
    include: ['.'],
  }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(settings))
  writeFileSync(join(folder, 'hats.ts'), 'export const migrations = new URL(import.meta.url)\n')
  const { status, stdout } = spawnSync(TSC, ['--noEmit', '--pretty', 'false', '-p', folder], {
    encoding: 'utf8',
  })
  expectNone(stdout.split('\n').filter(Boolean))
  expect(status).toBe(0)
})

describe.each(outside)('$name', ({ name, folder, migrations }) => {
  const described = join(folder, 'package.json')
  const { dependencies = {} } = existsSync(described) ? JSON.parse(readFileSync(described, 'utf8')) : {}
  const allowed = ['atrium', ...Object.keys(dependencies)]

  test('fits the types of the service, and the service its words', () => {
    // Other runs in this folder read it at the same time, so it is replaced when it is whole.
    const [seen, seenNow] = [seenOf(name), `${seenOf(name)}.${process.pid}`]
    if (existsSync(seen)) copyFileSync(seen, seenNow)
    const incremental = ['--incremental', '--tsBuildInfoFile', seenNow]
    const { status, stdout } = spawnSync(
      TSC,
      ['--noEmit', '--pretty', 'false', '--checkers', '1', ...incremental, '-p', folder],
      { encoding: 'utf8', env: { ...process.env, ...FAST } },
    )
    if (existsSync(seenNow)) renameSync(seenNow, seen)
    // Its pages are left out where the console is.
    const pages = join(relative('', folder), 'console/')
    const isLeftOut = (line: string) => !isHere('console') && line.startsWith(pages)
    expectNone(stdout.split('\n').filter((line) => /^\S/.test(line) && !isLeftOut(line)))
    if (isHere('console')) expect(status).toBe(0)
  })

  test('knows the types of its tables', () => {
    const types = existsSync(join(folder, 'schema.ts')) ? readFileSync(join(folder, 'schema.ts'), 'utf8') : ''
    const made = migrations ? globSync('*.sql', { cwd: fileURLToPath(migrations) }) : []
    const missing = made
      .flatMap((file) => [...readFileSync(new URL(file, migrations), 'utf8').matchAll(/^create table (\w+)/gim)])
      .filter(([, table]) => !types.toLowerCase().includes(`interface ${table!.replaceAll('_', '')}table `))
    expectNone(missing.map(([, table]) => `schema.ts lacks the table ${table}: DOMAINS=${folder} npm run db:types`))
  })

  test('imports itself, `atrium`, faces of domains and what its package.json depends on: no file of the service', () => {
    const imports = globSync('**/*.ts', { cwd: folder, exclude: ['node_modules/**'] }).flatMap((path) => {
      const code = readFileSync(join(folder, path), 'utf8')
      return [...code.matchAll(/\bfrom '([^']+)'|\bimport\(?'([^']+)'|\bimport '([^']+)'/g)].map(([, a, b, c]) => ({
        path,
        from: (a ?? b ?? c)!,
      }))
    })
    const foreign = imports.filter(({ path, from }) => {
      if (from.startsWith('.')) return !join(folder, path, '..', from).startsWith(folder)
      return !/^(node:|atrium\/)/.test(from) && !allowed.includes(from)
    })
    expect(imports.length).toBeGreaterThan(0)
    expectNone(
      foreign.map(
        ({ path, from }) =>
          `${path} imports ${from}: take it from atrium, or from the face of the domain that lends it, atrium/projects`,
      ),
    )
  })
})
