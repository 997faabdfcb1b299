import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { commitOf } from '../../src/config/build.ts'

const COMMIT = '0123456789abcdef0123456789abcdef01234567'

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'atrium-build-'))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

function given(path: string, text: string) {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), text)
}

describe('the commit that is checked out', () => {
  test('is the one of its branch', () => {
    given('.git/HEAD', 'ref: refs/heads/main\n')
    given('.git/refs/heads/main', `${COMMIT}\n`)
    expect(commitOf(root)).toBe(COMMIT)
  })

  test('is found where the branches are packed', () => {
    given('.git/HEAD', 'ref: refs/heads/main\n')
    given(
      '.git/packed-refs',
      `# pack-refs with: peeled\n${'f'.repeat(40)} refs/heads/domain\n${COMMIT} refs/heads/main\n`,
    )
    expect(commitOf(root)).toBe(COMMIT)
  })

  test('is known without a branch', () => {
    given('.git/HEAD', `${COMMIT}\n`)
    expect(commitOf(root)).toBe(COMMIT)
  })

  test('is found in a second worktree, whose branches lie with the first', () => {
    given('first/.git/refs/heads/other', `${COMMIT}\n`)
    given('first/.git/worktrees/second/HEAD', 'ref: refs/heads/other\n')
    given('first/.git/worktrees/second/commondir', '../..\n')
    given('second/.git', `gitdir: ${join(root, 'first/.git/worktrees/second')}\n`)
    expect(commitOf(join(root, 'second'))).toBe(COMMIT)
  })

  test.each([
    ['no checkout', {}],
    ['an empty one', { '.git/HEAD': 'ref: refs/heads/main\n' }],
    ['one that Git keeps otherwise', { '.git/HEAD': 'ref: refs/heads/.invalid\n' }],
  ])('is not known in %s', (_, files) => {
    for (const [path, text] of Object.entries(files)) given(path, text)
    expect(commitOf(root)).toBeUndefined()
  })
})
