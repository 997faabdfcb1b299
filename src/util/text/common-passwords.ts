import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'

const DICTIONARIES = createRequire(import.meta.url).resolve('@zxcvbn-ts/language-common')
let known: string | undefined

/**
 * Whether a password is one of the 49 000 that attackers try first, regardless of case. The list is read at the first
 * call, and searched as text: half a megabyte that a start need not parse.
 */
export function isCommonPassword(password: string): boolean {
  known ??= readFileSync(new URL('../src/passwords.json', pathToFileURL(DICTIONARIES)), 'latin1')
  return known.includes(JSON.stringify(password.trim().toLowerCase()))
}
