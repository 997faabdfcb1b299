import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'

const DICTIONARIES = createRequire(import.meta.url).resolve('@zxcvbn-ts/language-common')
let known: string | undefined

/**
 * Whether a password is one of the 49 000 that are tried first, however it is capitalised. The list is read when it is
 * first asked, and searched as the text it is: half a megabyte, and nothing to make of it at a start.
 */
export function isCommonPassword(password: string): boolean {
  known ??= readFileSync(new URL('../src/passwords.json', pathToFileURL(DICTIONARIES)), 'latin1')
  return known.includes(JSON.stringify(password.trim().toLowerCase()))
}
