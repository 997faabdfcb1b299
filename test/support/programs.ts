import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/** Debian's folder for the programs of services, which the PATH of an ordinary user leaves out. */
const OF_SERVICES = ['/usr/local/sbin', '/usr/sbin', '/sbin']

/** The programs that tests use where they are installed, with Debian's package. Without one, its tests are skipped. */
const PROGRAMS = {
  'redis-server': 'redis-server',
  nginx: 'nginx-light',
  pgbouncer: 'pgbouncer',
  chromium: 'chromium',
  prometheus: 'prometheus',
  promtool: 'prometheus',
  bash: 'bash',
  curl: 'curl',
  jq: 'jq',
  openssl: 'openssl',
  python3: 'python3',
} as const
export type Program = keyof typeof PROGRAMS

/** The path of a program, wherever the machine keeps it; undefined if it is not installed. */
export function findProgram(name: Program): string | undefined {
  if (name === 'chromium' && process.env.CHROMIUM) return process.env.CHROMIUM
  const folders = [...(process.env.PATH ?? '').split(delimiter), ...OF_SERVICES]
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path))
}

/** A line for each program that is missing, with what installs it. */
export function missingPrograms(): string[] {
  return Object.entries(PROGRAMS)
    .filter(([name]) => !findProgram(name as Program))
    .map(([name, debianPackage]) => `skipped without ${name}: apt-get install ${debianPackage}`)
}
