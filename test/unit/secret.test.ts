import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { developmentSecret } from '../../src/config/secret.ts'
import { newFolder } from '../support/folder.ts'

let dir: string
let file: string
beforeEach(() => {
  dir = newFolder()
  file = join(dir, 'token.secret')
})

test('the key is made once, for its owner alone, and nothing else is left', () => {
  const secret = developmentSecret(dir)
  expect(secret).toMatch(/^[\w-]{64}$/)
  expect(developmentSecret(dir)).toBe(secret)
  expect(readdirSync(dir)).toEqual(['token.secret'])
  expect(statSync(file).mode & 0o077).toBe(0)
})

test.each([
  ['', 'empty'],
  ['\n', 'blank'],
  ['half-a-key', 'cut off'],
])('a key that a full disk has left %j is made again', (left) => {
  writeFileSync(file, left)
  const secret = developmentSecret(dir)
  expect(secret).toMatch(/^[\w-]{64}$/)
  expect(readFileSync(file, 'utf8')).toBe(secret)
  expect(developmentSecret(dir)).toBe(secret)
})

test('what cannot be read is said, and not written over', () => {
  rmSync(dir, { recursive: true })
  writeFileSync(dir, 'a file in the place of the folder')
  expect(() => developmentSecret(dir)).toThrow('ENOTDIR')
  expect(existsSync(file)).toBe(false)
})
