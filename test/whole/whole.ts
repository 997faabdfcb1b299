import { existsSync, readFileSync } from 'node:fs'

/**
 * The stories of this folder lead through several plug-ins: a year of a company, the erasure of a tenant.
 * @returns whether all of these plug-ins are here; where one was deleted, the stories are neither compiled nor run
 */
export function isWhole(): boolean {
  const names: string[] = JSON.parse(readFileSync(new URL('plugins.json', import.meta.url), 'utf8'))
  return names.every((name) => existsSync(new URL(`../../src/plugins/${name}`, import.meta.url)))
}
