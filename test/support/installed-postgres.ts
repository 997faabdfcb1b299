import { execFileSync } from 'node:child_process'
import { chownSync, existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { accountFor } from '../../appliance/embedded/binaries.ts'
import { endsWithFile } from './clean-up.ts'
import { newFolder } from './folder.ts'
import { answers } from './postgres.ts'
import { end, launch, onFreePort } from './programs.ts'

/** The folder of the programs of each major version on Debian and its relatives. */
const ROOT = '/usr/lib/postgresql'
const OLDEST = 15

/** The major versions that are installed here, beside the embedded one. */
export function installedVersions(): number[] {
  if (!existsSync(ROOT)) return []
  return readdirSync(ROOT)
    .map(Number)
    .filter((version) => version >= OLDEST && existsSync(join(ROOT, String(version), 'bin', 'initdb')))
}

/** A server of an installed version, for one test file. */
export async function startInstalled(version: number) {
  const dir = newFolder()
  const bin = join(ROOT, String(version), 'bin')
  const account = accountFor(join(dir, 'none'))
  if (account) chownSync(dir, account.uid, account.gid)
  const data = join(dir, 'data')
  const options = { ...account, cwd: dir, env: { PATH: process.env.PATH, LC_ALL: 'C.UTF-8', TZ: 'UTC' } }
  execFileSync(join(bin, 'initdb'), ['-D', data, '-U', 'root', '--auth=trust', '-E', 'UTF8', '--no-sync'], {
    ...options,
    stdio: 'ignore',
  })
  const settings = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', 'fsync=off']
  const flags = ['-D', data, ...settings.flatMap((setting) => ['-c', setting])]
  const { child, url } = await onFreePort(async (port) => {
    const url = (database: string) => `postgres://root@127.0.0.1:${port}/${database}`
    const ready = () => answers(url('postgres'))
    return { ...(await launch(join(bin, 'postgres'), ['-p', String(port), ...flags], ready, options)), url }
  })
  return { url, stop: endsWithFile(() => end(child, 'SIGINT')) }
}
