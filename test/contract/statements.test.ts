import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'vitest'
import { buildStatements } from '../support/built-statements.ts'
import { apart, expectGolden } from '../support/domains.ts'
import { expectNone } from '../support/expect-none.ts'
import { tablesIn } from '../support/schema-text.ts'

/**
 * The SQL of every statement, for the eye of the reviewer: `statements.sql` is compared with what the stores build.
 * Each statement is built in its shapes: without what may be left out, with each of it, with all.
 */
test('the SQL of every statement is the one that was reviewed', async () => {
  const { built, refused } = await buildStatements()
  expectNone(refused)
  const lines = built.map(({ domain, name, text }) => ({ domain, line: `-- ${name}\n${layOut(text)};\n` }))
  const told = lines.filter(({ line }, at) => line !== lines[at - 1]?.line)
  const core = ofCore(told)
  await expectGolden({ file: 'statements.sql', means: 'The SQL of a statement has changed' }, (of) =>
    (of ? ofPlugin(told, core, of) : [...core.values()]).join('\n'),
  )
})

interface Told {
  domain: string | undefined
  line: string
}

/** The plug-in that lends a statement of the core a part. */
function lenderOf(line: string): string | undefined {
  return lenders.find(({ tables }) => tables.some((table) => line.includes(`"${table}"`)))?.name
}

/** What the core says by itself: where a plug-in lends a part, what was written with `PLUGINS=none npm test -- … -u`. */
function ofCore(told: readonly Told[]): Map<Told, string> {
  const reviewed = Map.groupBy(readFileSync('test/contract/statements.sql', 'utf8').split(/\n(?=-- )/), nameIn)
  const own = told.filter(({ domain }) => domain === undefined)
  return new Map(
    own.map((one) => {
      const before = reviewed.get(nameIn(one.line))?.shift()
      return [one, lenderOf(one.line) ? (before ?? one.line) : one.line]
    }),
  )
}

/** The statements of a plug-in, and what it makes of statements of the core. */
function ofPlugin(told: readonly Told[], core: ReadonlyMap<Told, string>, name: string): string[] {
  return told
    .filter(({ line, domain = lenderOf(line) }) => domain === name)
    .map((one) => (one.domain ? one.line : changeOf(core.get(one)!, one.line)))
}

/** What is written in place of which lines of the core. What is the same before and behind these is left out. */
function changeOf(before: string, after: string): string {
  const [old, now] = [before.split('\n'), after.split('\n')]
  const same = (at: (lines: string[], back: number) => string | undefined, most: number) => {
    const end = Array.from({ length: most }).findIndex((_, back) => at(old, back) !== at(now, back))
    return end < 0 ? most : end
  }
  const shorter = Math.min(old.length, now.length)
  const head = same((lines, back) => lines[back], shorter)
  const tail = same((lines, back) => lines.at(-1 - back), shorter - head)
  const place = `${nameIn(after)}, in place of line ${head + 1} to ${old.length - tail}`
  return [place, ...now.slice(head, now.length - tail), ''].join('\n')
}

const nameIn = (line: string) => line.slice(0, line.indexOf('\n'))

const lenders = apart.map(({ name, folder }) => {
  const file = join(folder, 'schema.ts')
  return { name, tables: existsSync(file) ? [...tablesIn(readFileSync(file, 'utf8')).keys()] : [] }
})

/** One clause a line, so that a difference shows its place. */
function layOut(text: string): string {
  return text.replace(
    / (from|where|inner join|left join|order by|limit|set|values|returning|on conflict|for update|for share|for key share) /g,
    '\n  $1 ',
  )
}
