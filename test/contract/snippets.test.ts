import { globSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { expectNone } from '../support/expect-none.ts'
import { mistakesIn, type Snippet, snippetsOf } from '../support/snippets.ts'

/**
 * What a reader copies is at least sound: every fenced block of every page, and every file that is an example. Tests of
 * the pages run most of them, such as `test/whole/integrations-page.test.ts`.
 */
const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')
const find = (pattern: string) =>
  globSync(pattern, { cwd: ROOT, exclude: ['**/{node_modules,secrets,golden}/**', 'client/dist/**'] })

const pages = ['*.md', '{docs,client,deploy,examples}/**/*.md', 'src/**/*.md'].flatMap(find)
const blocks = pages.flatMap((path) => snippetsOf(path, read(path)))
const files = [
  'examples/**/*.{ts,json,sql}',
  'deploy/**/*.{sh,sql,yaml}',
  'src/plugins/*/deploy/*.yaml',
  'compose.yaml',
]
  .flatMap(find)
  .map((path): Snippet => ({ place: path, language: extname(path).slice(1), text: read(path) }))

test('every block of every page is of its language', async () => {
  const fences = pages.flatMap((path) => read(path).match(/^ *```/gm) ?? [])
  expect(blocks.length).toBe(fences.length / 2)
  expect(blocks.length).toBeGreaterThan(40)
  expectNone(await mistakesIn(blocks))
})

test('so is every file of the examples and of the deployment', async () => {
  expect(files.length).toBeGreaterThan(20)
  expectNone(await mistakesIn(files))
})

test('every script of npm that a page names is in package.json', () => {
  const { scripts } = JSON.parse(read('package.json'))
  const named = pages.flatMap((path) =>
    [...read(path).matchAll(/npm run (?:-s )?([\w:-]+)/g)].map(([, name]) => ({ path, name: name! })),
  )
  expect(named.length).toBeGreaterThan(20)
  expectNone(named.filter(({ name }) => !(name in scripts)).map(({ path, name }) => `${path}: npm run ${name} is gone`))
})

describe('a mistake', () => {
  test.each([
    ['sh', 'if true; then echo "yes"', 'end of file'],
    ['python', 'for one in [1, 2]\n    print(one)', "expected ':'"],
    ['js', 'const { a, = await fetch("/")', 'Unexpected token'],
    ['ts', 'const a: = 1', 'Unexpected token'],
    ['json', '{"a": 1, … "b" 2}', "Expected ':'"],
    ['yaml', 'a: [1, 2\nb: 3', 'Flow sequence'],
    ['sql', "select 'a;", "' is alone"],
    ['sql', 'select 1', 'has no end'],
    ['nginx', 'location / { proxy_pass http://atrium; ', ''],
    ['dockerfile', 'FROM atrium\ncopy labels', 'copy labels'],
    ['', 'anything', 'say in test/support/snippets.ts'],
  ])('in %j is found', async (language, text, why) => {
    const page = `# Page\n\n\`\`\`${language}\n${text}\n\`\`\`\n`
    const mistakes = await mistakesIn(snippetsOf('page.md', page))
    expect(mistakes).toEqual([expect.stringContaining('page.md:3')])
    expect(mistakes[0]).toContain(why)
  })

  test('is not what a page leaves out', async () => {
    const page = '```ts\nconst a = { b: [1, …], … }\n…\n```\n\n```json\n{"a": 1, … "b": [2, …], …}\n```\n'
    expect(await mistakesIn(snippetsOf('page.md', page))).toEqual([])
  })
})
