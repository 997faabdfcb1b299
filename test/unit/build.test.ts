import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { commitOf } from '../../src/config/build.ts'
import { newFolder } from '../support/folder.ts'

const COMMIT = '0123456789abcdef0123456789abcdef01234567'
const ON_MAIN = { '.git/HEAD': 'ref: refs/heads/main\n' }

test.each<[string, string | undefined, Record<string, string>]>([
  ['is the one of its branch', COMMIT, { ...ON_MAIN, '.git/refs/heads/main': `${COMMIT}\n` }],
  [
    'is found where the branches are packed',
    COMMIT,
    { ...ON_MAIN, '.git/packed-refs': `# pack-refs\n${'f'.repeat(40)} refs/heads/domain\n${COMMIT} refs/heads/main\n` },
  ],
  ['is known without a branch', COMMIT, { '.git/HEAD': `${COMMIT}\n` }],
  [
    'is found in a second worktree, whose branches lie with the first',
    COMMIT,
    {
      '.git': 'gitdir: first/.git/worktrees/second\n',
      'first/.git/refs/heads/other': `${COMMIT}\n`,
      'first/.git/worktrees/second/HEAD': 'ref: refs/heads/other\n',
      'first/.git/worktrees/second/commondir': '../..\n',
    },
  ],
  ['is not known without a checkout', undefined, {}],
  ['is not known in an empty one', undefined, ON_MAIN],
])('the commit that is checked out %s', (_, commit, files) => {
  const root = newFolder()
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text.replace('gitdir: ', `gitdir: ${root}/`))
  }
  expect(commitOf(root)).toBe(commit)
})
