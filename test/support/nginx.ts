import { type ChildProcess, execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { endsWithFile } from './clean-up.ts'
import { newFolder } from './folder.ts'
import { until } from './patience.ts'
import { end, findProgram, launch, listens, onFreePort } from './programs.ts'

const OURS = new URL('../../deploy/nginx.conf', import.meta.url)
const NGINX = findProgram('nginx')

/** Whether this machine has one. */
export const nginxIsHere = (): boolean => NGINX !== undefined

/**
 * A real nginx with `deploy/nginx.conf` before two processes of the service.
 * @param upstreams host and port of each replica, or the port on 127.0.0.1
 * @param adapt changes more of the file
 */
export function startNginx(upstreams: readonly [number | string, number | string], adapt = (file: string) => file) {
  const [one, other] = upstreams.map((each) => (typeof each === 'number' ? `127.0.0.1:${each}` : each))
  return startSite((port) =>
    adapt(
      readFileSync(OURS, 'utf8')
        .replace('listen 8080', `listen 127.0.0.1:${port}`)
        .replace('172.30.87.11:8080', one!)
        .replace('172.30.87.12:8080', other!),
    ),
  )
}

const CELLS = new URL('../../deploy/cells.conf', import.meta.url)

/**
 * A real nginx with `deploy/cells.conf` before two installations.
 * @param a @param b their ports on 127.0.0.1 @param adapt changes more of the file
 */
export function startCells(a: number, b: number, adapt = (file: string) => file) {
  return startSite((port) =>
    adapt(
      readFileSync(CELLS, 'utf8')
        .replace('listen 8080', `listen 127.0.0.1:${port}`)
        .replace('172.30.87.21:8080', `127.0.0.1:${a}`)
        .replace('172.30.87.22:8080', `127.0.0.1:${b}`),
    ),
  )
}

/** An nginx as somebody sets it up who knows one directive, and that uploads are larger than a megabyte. */
export function startPlainNginx(target: number) {
  return startSite(
    (port) => `server {
  listen 127.0.0.1:${port};
  client_max_body_size 20m;
  location / { proxy_pass http://127.0.0.1:${target}; }
}`,
  )
}

const startSite = (siteAt: (port: number) => string) => onFreePort((port) => startSiteOn(port, siteAt(port)))

async function startSiteOn(port: number, site: string) {
  const dir = newFolder()
  writeFileSync(join(dir, 'site.conf'), site)
  writeFileSync(join(dir, 'nginx.conf'), around(join(dir, 'site.conf'), dir))
  const flags = ['-c', join(dir, 'nginx.conf'), '-e', 'stderr']
  const { child, output } = await launch(NGINX!, flags, () => listens(port))
  return {
    port,
    /** what it has complained of */
    output,
    /** Changes its file and has it read again, as `nginx -s reload` does, until nothing goes by the old one any more. */
    async reload(change: (file: string) => string) {
      const file = join(dir, 'site.conf')
      writeFileSync(file, change(readFileSync(file, 'utf8')))
      // A process that was just started has none yet.
      const old = await until(() => workersOf(child))
      child.kill('SIGHUP')
      await until(() => !workersOf(child).some((pid) => old.includes(pid)))
    },
    stop: endsWithFile(() => end(child)),
  }
}
export type Nginx = Awaited<ReturnType<typeof startSiteOn>>

function workersOf({ pid }: ChildProcess): string[] {
  return execFileSync('pgrep', ['-P', String(pid)], { encoding: 'utf8' })
    .trim()
    .split('\n')
}

/** What Debian and the Docker image put around a site, without what they put elsewhere on the disk. */
function around(site: string, dir: string): string {
  const places = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${dir}/${name};`)
  return `
${process.getuid?.() === 0 ? 'user root root;' : ''}
daemon off;
worker_processes 1;
pid ${dir}/nginx.pid;
error_log stderr warn;
events {}
http { access_log off; ${places.join(' ')} include ${site}; }
`
}
