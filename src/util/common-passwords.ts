import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'

const DICTIONARIES = createRequire(import.meta.url).resolve('@zxcvbn-ts/language-common')
let known: ReadonlySet<string> | undefined

/** Whether a password is one of the 49 000 that are tried first, however it is capitalised. The list is read when it is first asked. */
export function isCommonPassword(password: string): boolean {
  known ??= new Set(JSON.parse(readFileSync(new URL('../src/passwords.json', pathToFileURL(DICTIONARIES)), 'utf8')))
  return known.has(password.trim().toLowerCase())
}
