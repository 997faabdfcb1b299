import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { newFolder } from '../support/folder.ts'
import { canRun, openPage, run } from '../support/page-programs.ts'
import { isHere } from '../support/plugins.ts'
import { TSC } from '../support/programs.ts'
import { snippetsOf, withoutGaps } from '../support/snippets.ts'

/** The page about a domain of your own, followed in a clone with the copy of the example beside it. */
const PAGE = 'docs/a-domain-of-your-own.md'
const IN_A_CLONE = [
  ...['.npmrc', 'package.json', 'tsconfig.json', 'openapi.json', 'appliance', 'bin', 'client', 'db', 'examples', 'src'],
  ...['test/support', 'test/whole', 'tools'],
]
const compile = promisify(execFile)
const page = openPage(PAGE)
const folder = newFolder()
const clone = join(folder, 'atrium')
const copy = join(folder, 'labels')
for (const path of ['test', 'src/plugins']) mkdirSync(join(clone, path), { recursive: true })
const isSource = (path: string) => !['node_modules', 'dist'].includes(basename(path))
for (const path of IN_A_CLONE) cpSync(path, join(clone, path), { recursive: true, filter: isSource })
symlinkSync(resolve('node_modules'), join(clone, 'node_modules'))

/** Runs a program of the page in the clone, changed to one that ends and needs no database. */
const type = (heading: string, change: (text: string) => string = (text) => text) =>
  run({ language: 'sh', text: change(page.take(heading, 'sh').text) }, {}, [], clone)

/** What the programs in TypeScript leave out, in their order on the page; undefined if they are no files of their own. */
const AROUND = [
  // An extract of examples/labels/labels.domain.ts.
  undefined,
  `import { domain, type Job, type System, system, transact, type Tx, type WorkInTenants } from 'atrium'
   declare const hasOldLabels: WorkInTenants['inTenants']['where']
   declare const fadeSome: (tx: Tx<System>) => Promise<boolean>
   declare const more: Parameters<typeof domain>[0]`,
  `import { type Seen, seen, type User } from 'atrium'`,
  '',
]

test.skipIf(!canRun('sh'))(
  'the copy of the example runs, compiles with the programs of the page, and becomes a plug-in',
  async () => {
    expect(await type('Copy it', (text) => text.replace('npm run dev', 'npm run routes'))).toContain('/api/v1/labels')
    // Its page is written against the plug-in that shows it.
    if (!isHere('console')) rmSync(join(copy, 'console'), { recursive: true })

    const programs = snippetsOf(PAGE, readFileSync(PAGE, 'utf8')).filter(({ language }) => language === 'ts')
    expect(programs.length).toBe(AROUND.length)
    for (const [at, { text }] of programs.entries())
      if (AROUND[at] !== undefined) writeFileSync(join(copy, `page-${at}.ts`), `${AROUND[at]}\n${withoutGaps(text)}`)
    const { stdout } = await compile(TSC, ['--noEmit', '--pretty', 'false', '-p', copy]).catch((failed) => failed)
    expect(stdout).toBe('')
    for (const at of programs.keys()) rmSync(join(copy, `page-${at}.ts`), { force: true })

    await type('A typed client')
    expect(readFileSync(join(copy, 'client/operations.ts'), 'utf8')).toContain('createLabel')

    const inside = (text: string) => `${text.split('\n')[0]}\nnpm run routes`
    expect(await type('Move it inside', inside)).toContain('/api/v1/labels')
  },
)

test.skipIf(!canRun('sh'))('the other commands of the page run the service, its tests or a database', () => {
  const left = page.left().filter((name) => name.endsWith(': sh'))
  expect(left).toEqual(['See it run: sh', 'The tables: sh', 'Check and test: sh'])
})
