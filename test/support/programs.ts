import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/** Debian's folder for the programs of services, which the PATH of an ordinary user leaves out. */
const OF_SERVICES = ['/usr/local/sbin', '/usr/sbin', '/sbin']

/** The path of a program, wherever the machine keeps it; undefined if it is not installed. */
export function findProgram(name: string): string | undefined {
  const folders = [...(process.env.PATH ?? '').split(delimiter), ...OF_SERVICES]
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path))
}

/**
 * The path of a program that tests need; if it is missing that is reported, because a test that is skipped silently
 * proves nothing.
 */
export function programFor(tests: string, name: string, debianPackage: string): string | undefined {
  const path = findProgram(name)
  if (!path) console.warn(`SKIPPED: ${tests}: ${name} is not installed (apt-get install ${debianPackage})`)
  return path
}
