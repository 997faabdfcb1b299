import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { VARIABLES } from '../../src/config/variables.ts'
import { SEALED } from '../support/sealed.ts'

/** What is promised names what holds it, and what is linked is there. */
const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')

/** A promise of a plug-in goes with its folder. */
const isHere = (path: string) => {
  const [folder] = /^src\/plugins\/[\w-]+\//.exec(path) ?? []
  return folder === undefined || existsSync(join(ROOT, folder))
}

describe('SECURITY.md', () => {
  const [, table] = /\n## Promises[^\n]*\n([\s\S]*?)\n## /.exec(read('SECURITY.md'))!
  const rows = table!.split('\n').filter((line) => /^\| (?!Promise|-)/.test(line) && !line.startsWith('|---'))

  test.each(rows.map((row) => row.split(' | ').map((cell) => cell.replace(/^\| | \|$/g, ''))))(
    '%s: is held by tests that are there',
    (_promise, _how, held) => {
      const files = [...held!.matchAll(/`([^`]+)`/g)].map(([, path]) => path!)
      expect(files.length, 'The promise names no test: write the path of one into its last column').toBeGreaterThan(0)
      for (const path of files.filter(isHere)) expect(existsSync(join(ROOT, path)), path).toBe(true)
    },
  )

  test('lists every key, and everything that is encrypted', () => {
    const keys = VARIABLES.filter(({ name }) => /(SECRET|_KEY)$/.test(name)).map(({ name }) => name)
    const [, part] = /\n## Keys[^\n]*\n([\s\S]*?)\n## /.exec(read('SECURITY.md'))!
    for (const name of [...keys, ...SEALED]) expect(part).toContain(`\`${name}\``)
  })
})

test.each(globSync(['*.md', 'docs/*.md', 'deploy/**/*.md', 'client/*.md'], { cwd: ROOT }))(
  '%s links to what is there',
  (page) => {
    const headings = new Map<string, Set<string>>()
    const anchorsOf = (path: string) => {
      const found = [...read(path).matchAll(/^#+ (.+)$/gm)].map(([, title]) =>
        title!
          .toLowerCase()
          .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
          .replaceAll(' ', '-'),
      )
      return headings.get(path) ?? headings.set(path, new Set(found)).get(path)!
    }
    const links = [...read(page).matchAll(/\]\((?!https?:)([^)\s]+)\)/g)].map(([, link]) => link!)
    for (const link of links) {
      const [file, anchor] = link.split('#') as [string, string | undefined]
      const path = file ? join(dirname(page), file) : page
      expect(existsSync(join(ROOT, path)), `${page}: ${link}`).toBe(true)
      if (anchor) expect([...anchorsOf(path)], `${page}: ${link}`).toContain(anchor)
    }
  },
)
