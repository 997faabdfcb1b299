import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { expectNone } from '../support/expect-none.ts'
import { slipsIn } from '../support/prose.ts'

/** The prose that is read: documents, and comments of what an operator edits. A pattern for sources reads their comments. */
const READ = [
  '*.md',
  'docs/*.md',
  'client/*.md',
  'deploy/**/*.{md,yaml,conf,ini,sql,sh}',
  '.github/**/*.{md,yml,json}',
  '{.env.example,.editorconfig,.npmrc,compose.yaml,Dockerfile}',
  'start.js',
  'src/*.ts',
  'src/{atrium,config,data,domains,http,kernel,util}/**/*.{ts,js}',
  '{appliance,bin,bench,demo,examples,tools,test}/**/*.{ts,js}',
]
/** Quotes slips. */
const ITSELF = 'test/contract/prose.test.ts'
const ROOT = fileURLToPath(new URL('../../', import.meta.url))

test.each(READ)('%s is written in plain English', (pattern) => {
  const paths = globSync(pattern, { cwd: ROOT, exclude: ['**/node_modules/**', 'deploy/secrets/**', ITSELF] })
  expect(paths.length, `${pattern} matches no file`).toBeGreaterThan(0)
  expectNone(paths.flatMap((path) => slipsIn(path, readFileSync(join(ROOT, path), 'utf8'))))
})

test('so are the descriptions in the API document', () => {
  const { info, tags, paths, components } = JSON.parse(readFileSync(join(ROOT, 'openapi.json'), 'utf8'))
  const described = [...descriptionsIn({ info, tags, paths, components })]
  expect(described.length).toBeGreaterThan(200)
  expectNone(described.flatMap((text) => slipsIn('openapi.json', text).map((sentence) => `${sentence} (${text})`)))
})

function* descriptionsIn(value: unknown): Generator<string> {
  if (typeof value !== 'object' || value === null) return
  for (const [key, inner] of Object.entries(value))
    if (typeof inner !== 'string') yield* descriptionsIn(inner)
    else if (key === 'description' || key === 'summary') yield inner
}

describe('a slip', () => {
  test.each([
    ['Whoever asks is answered.', 'page.md:1 says "Whoever": write anyone who, the person who'],
    [
      'All is well.\n\n- Who reads slowly is cut off.',
      'page.md:3 says "Who reads slowly is cut off.": write anyone who',
    ],
    ['The rights\nchange behind the commit.', 'page.md:2 says "behind the commit": write after'],
    ['The caller\nis told so at once.', 'page.md:2 says "at once": write immediately'],
  ])('is found in %j', (text, sentence) => {
    expect(slipsIn('page.md', text).join('\n')).toContain(sentence)
  })

  test('is no slip in code, in a question, or where the word has its own meaning', () => {
    for (const text of [
      '`at once`',
      '```\nwhoever\n```',
      '| Who? | all |',
      'Who needs it, and what for?',
      'Put it behind a proxy.',
    ])
      expect(slipsIn('page.md', text), text).toEqual([])
  })

  test('is found in the comments of a source, and nowhere else in it', () => {
    const source = "/** Runs at once. */\nconst url = 'http://at once' // whoever asks\n"
    expect(slipsIn('source.ts', source)).toEqual([
      expect.stringContaining('source.ts:2 says "whoever"'),
      expect.stringContaining('source.ts:1 says "at once"'),
    ])
  })
})
