import { appendFileSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { readConfig } from '../../src/config/config.ts'
import { openLog } from '../../src/log.ts'
import { atriumHere } from '../support/cli-here.ts'
import { cloneDatabase, createDatabase, openInspector } from '../support/database.ts'
import { expectNone } from '../support/expect-none.ts'
import { canRun, openPage, run } from '../support/page-programs.ts'
import { until } from '../support/patience.ts'
import { snippetsOf } from '../support/snippets.ts'
import { openWorldWithFiles } from '../support/uploads.ts'
import { openWorld } from '../support/world.ts'

/** The commands of the pages for operators do what the pages say, as they stand there. */
const page = openPage('docs/operations.md')
const hasShell = canRun('sh')
const { world, folder, upload } = await openWorldWithFiles()
const THERE = { NODE_ENV: 'test', DATABASE_URL: world.databaseUrl, FILE_STORAGE_ROOT: folder.root }

/** Runs a part of a program of the page, in the folder of the files. */
const type = (
  heading: string,
  change: (text: string) => string = (text) => text,
  env: Record<string, string> = THERE,
) => {
  const { text } = page.take(heading, 'sh')
  return run({ language: 'sh', text: change(text) }, env, [], folder.root)
}

beforeAll(async () => {
  const draft = { name: 'Acme', code: 'acme', plan: 'team', adminUsername: 'chief', adminPassword: 'correct horse' }
  await world.as(world.admin).create('/tenants', { ...draft, adminEmail: 'chief@acme.example' })
  await upload.file(world.admin)
})

test.skipIf(!hasShell)('the line of a failed request is found in the log', async () => {
  const log = join(folder.root, 'log')
  const logger = openLog('info', { write: (line) => appendFileSync(log, line) })
  const logged = await openWorld({ logger })
  await logged.anyone.get('/projects', { 'x-request-id': 'REQUEST_ID' })
  await until(() => readFileSync(log, 'utf8').includes('REQUEST_ID'))

  const line = JSON.parse(await type('One failed request'))
  expect(line).toMatchObject({ status: 401, route: '/api/v1/projects', ms: expect.any(Number) })
})

test.skipIf(!hasShell)('a backup is made, and restored into an empty database', async () => {
  await type('Backup')
  const [archive] = globSync('atrium-*.tar', { cwd: folder.root })
  const url = await createDatabase()
  await type('Restore', (text) =>
    text
      .replace(/^createdb .*\n/, '')
      .replace('postgres://…/atrium_restored', url)
      .replace('/srv/atrium/files', join(folder.root, 'restored'))
      .replace(/atrium-[\d-]+\.tar/, archive!),
  )
  const restored = await openInspector(url)
  const tenants = 'select code from tenants order by id'
  expect(await restored.rows(tenants)).toEqual(await world.look.rows(tenants))
  await restored.close()
})

test.skipIf(!hasShell)('files and rows are compared, and swept', async () => {
  // Only what is older than ten minutes is swept; test/api/files-sweep.test.ts has such files.
  const said = await type('Files and rows of different points in time')
  const report = expect.stringMatching(/^[1-9]\d* files match, .* 0 rows have no bytes\.$/)
  expect(said.split('\n')).toEqual([report, report])
})

test.skipIf(!hasShell)('a tenant is exported, imported elsewhere, erased and taken back', async () => {
  const other = await cloneDatabase()
  const elsewhere = { ...THERE, DATABASE_URL: other, FILE_STORAGE_ROOT: join(folder.root, 'other') }
  const only = (word: string) => (text: string) =>
    text.replace(new RegExp(`^(?!npx atrium tenant ${word}).*\n`, 'gm'), '')
  await type('A tenant moves or leaves', only('export'))
  await type('A tenant moves or leaves', only('import'), elsewhere)
  await type('A tenant moves or leaves', only('erase'))

  const look = await openInspector(other)
  expect(await look.count(`select count(*) from tenants where code = 'acme'`)).toBe(1)
  await look.close()
  const [tenant] = await world.look.rows(`select erase_at from tenants where code = 'acme'`)
  expect(tenant!.erase_at).toBeNull()
})

test('the role of the service can be made by hand', async () => {
  const [{ text }] = snippetsOf('', readFileSync('docs/operations.md', 'utf8')).filter(
    ({ language }) => language === 'sql',
  ) as [any]
  await world.look.rows(`begin; create role "shop"; ${text} rollback`)
})

test.skipIf(!hasShell)('the plans of the page are plans', async () => {
  const program = openPage('docs/configuration.md').take('Plans', 'sh')
  const PLANS = await run({ ...program, text: `${program.text}printf %s "$PLANS"` }, {})
  expect(readConfig({ PLANS }, () => '').plans).toMatchObject({ tiny: { people: 6 } })
})

test.skipIf(!hasShell)('the other programs of the page need what a test of it has not', () => {
  expect(page.left().sort()).toEqual([
    'All cores of a machine: sh',
    'From the embedded database to PostgreSQL: sh',
    // The next test asks for the same help.
    'Locked out: sh',
    // It is run above.
    'Several services on one PostgreSQL: sql',
    "With PostgreSQL's own tools: sh",
  ])
})

test('every command that a page names is one, and has the options that are named', async () => {
  const pages = globSync(['*.md', 'docs/*.md', 'client/*.md', 'deploy/kubernetes/*.md'])
  const lines = pages.flatMap((path) => commandsIn(path))
  expect(lines.length).toBeGreaterThan(25)
  const wrong: string[] = []
  for (const { path, words } of lines) {
    const { code, out, err } = await atriumHere(`${words} --help`)
    const unknown = (words.match(/--[a-z-]+/g) ?? []).filter((name) => name !== '--help' && !out.includes(name))
    if (code !== 0) wrong.push(`${path}: npx atrium ${words}: ${err.split('\n')[0]}`)
    for (const name of unknown) wrong.push(`${path}: npx atrium ${words}: there is no ${name}`)
  }
  expectNone(wrong)
})

/** The words after `npx atrium`, in blocks for a shell and between backticks. */
function commandsIn(path: string) {
  const text = readFileSync(path, 'utf8')
  const shell = snippetsOf(path, text).flatMap(({ language, text }) =>
    language === 'sh' ? [text.replace(/ # .*/g, '')] : [],
  )
  const inline = text.replace(/^ *```[\s\S]*?^ *```/gm, '').match(/`[^`]+`/g) ?? []
  return [...shell, ...inline]
    .flatMap((code) => [...code.replace(/\$\([^)]*\)/g, '').matchAll(/npx atrium ([^`|>\n]*)/g)])
    .map(([, words]) => ({ path, words: words!.replaceAll('"', '').replace(/\s+/g, ' ').trim() }))
    .filter(({ words }) => !words.startsWith('…') && !/^--(version|help)$/.test(words))
}
