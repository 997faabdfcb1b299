import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasBrowser, launchBrowser } from '../support/console.ts'
import { PATIENCE_MS } from '../support/patience.ts'
import { isHere } from '../support/plugins.ts'
import { TSC } from '../support/programs.ts'
import { openWorld, type World } from '../support/world.ts'

/** The client as others get it: packed, installed into an empty folder, and used by whatever runs there. */
const run = promisify(execFile)
const fileOf = (path: string) => fileURLToPath(new URL(path, import.meta.url))
const CLIENT = fileOf('../../client')
const SESSION = fileOf('../support/client-session.js')
/** A name that no browser takes for its own machine, so what comes from there over HTTP is no secure context. */
const INTRANET = 'intranet.example'

/** What the session reports of itself. */
const first = isHere('live') ? 'unread-count' : 'nothing'
const said = { again: 'PROJECT_CODE_TAKEN', file: 'hello', first, after: 401 }
const expected = { username: 'admin', titles: ['Land', 'Launch'], ...said }

let world: World
let folder: string
let pages: Server
/** where the service is, to this machine */
let baseUrl: string
let pagesPort: number

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'atrium-client-'))
  pages = createServer(async (req, res) => {
    const { status, type, body } = await give(req.url!)
    res.writeHead(status, { 'content-type': type }).end(body)
  })
  await new Promise<void>((resolve) => pages.listen(0, '127.0.0.1', resolve))
  pagesPort = (pages.address() as AddressInfo).port
  world = await openWorld({ env: { CORS_ORIGINS: `http://${INTRANET}:${pagesPort}` } })
  baseUrl = await world.app.listen({ port: 0, host: '127.0.0.1' })

  const place = join(folder, 'application')
  await mkdir(place)
  await writeFile(join(place, 'package.json'), '{ "private": true, "type": "module" }')
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund', await packedAsTheReadmeSays()], { cwd: place })
  await cp(SESSION, join(place, 'session.js'))
  const main = `import { session } from './session.js'\nconsole.log(JSON.stringify(await session('${baseUrl}')))\n`
  await writeFile(join(place, 'main.js'), main)
})
afterAll(async () => {
  pages.closeAllConnections()
  pages.close()
  await rm(folder, { recursive: true, force: true })
  await world.close()
})

/** Types the line of the README as it stands, in a checkout that nothing was built in. */
async function packedAsTheReadmeSays(): Promise<string> {
  const checkout = join(folder, 'checkout')
  const isWritten = (path: string) => path === join(CLIENT, 'dist') || path === join(CLIENT, 'operations.ts')
  await cp(CLIENT, join(checkout, 'client'), { recursive: true, filter: (path) => !isWritten(path) })
  for (const name of ['package.json', '.npmrc', 'README.md', 'openapi.json', 'bin', 'src', 'tools'])
    await cp(fileOf(`../../${name}`), join(checkout, name), { recursive: true })
  await symlink(fileOf('../../node_modules'), join(checkout, 'node_modules'))
  const [, line] = /`([^`]*npm pack [^`]*)`/.exec(await readFile(join(checkout, 'README.md'), 'utf8'))!
  // The settings of `npm test` are not those of somebody at a terminal.
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('npm_')))
  await run('sh', ['-c', line!], { cwd: checkout, env })
  const [packed] = (await readdir(checkout)).filter((name) => name.endsWith('.tgz'))
  return join(checkout, packed!)
}

const application = (path: string) => join(folder, 'application', path)
const installed = (path: string) => application(`node_modules/@atrium/client/${path}`)

test('the package has types, ES modules, a README and a licence, and needs nothing else', async () => {
  const about = JSON.parse(await readFile(installed('package.json'), 'utf8'))
  const service = JSON.parse(await readFile(fileOf('../../package.json'), 'utf8'))
  expect(about).toMatchObject({ type: 'module', version: service.version })
  expect([about.dependencies, about.peerDependencies]).toEqual([undefined, undefined])
  for (const path of ['README.md', 'LICENSE', about.exports['.'].types, about.exports['.'].default])
    expect(existsSync(installed(path)), path).toBe(true)
  const lock = JSON.parse(await readFile(application('package-lock.json'), 'utf8'))
  expect(Object.keys(lock.packages)).toEqual(['', 'node_modules/@atrium/client'])
})

test('an application in TypeScript compiles against it, strictly, without the types of Node', async () => {
  const program = `import { createClient, type Task } from '@atrium/client'
const atrium = createClient({ baseUrl: '' })
export const titleOf = async (id: number): Promise<Task['title']> => (await atrium.getTask({ id })).title
// @ts-expect-error a task has an id
export const wrong = () => atrium.getTask()
`
  await writeFile(application('page.ts'), program)
  const terms = '--strict --noEmit --target es2022 --module esnext --moduleResolution bundler --lib es2022,dom --types'
  const compiled = run(TSC, [...terms.split(' '), '', 'page.ts'], { cwd: application('.') })
  await expect(compiled.catch(({ stdout }) => stdout)).resolves.toMatchObject({ stdout: '' })
})

describe('it works', () => {
  test.each(runtimes())('in %s', async (_, command, ...terms) => {
    const { stdout } = await run(command, [...terms, 'main.js'], { cwd: application('.') })
    expect(JSON.parse(stdout)).toEqual(expected)
  })

  test.skipIf(!hasBrowser)('in a browser, on a page that came by plain HTTP', async () => {
    const names = `--host-resolver-rules=MAP ${INTRANET} 127.0.0.1,MAP *.${INTRANET} 127.0.0.1`
    const browser = await launchBrowser(names)
    try {
      const page = await browser.newPage()
      page.setDefaultTimeout(PATIENCE_MS)
      await page.goto(`http://${INTRANET}:${pagesPort}/`)
      expect(await page.evaluate('[isSecureContext, typeof crypto.randomUUID]')).toEqual([false, 'undefined'])
      const service = `http://${INTRANET}:${new URL(baseUrl).port}`
      const open = `import('./session.js').then(({ session }) => session('${service}'))`
      expect(await page.evaluate(open)).toEqual(expected)
      // Under another name the page has an origin that the service does not know.
      await page.goto(`http://localhost.${INTRANET}:${pagesPort}/`)
      expect(await page.evaluate(`${open}.catch((error) => error.message)`)).toContain(
        'CORS_ORIGINS does not name this origin',
      )
    } finally {
      await browser.close()
    }
  })
})

/** What there is here that runs JavaScript: this Node, the one that the system brings, Deno and Bun. */
function runtimes() {
  const places = (process.env.PATH ?? '').split(delimiter).filter((place) => !place.includes('node_modules'))
  const found = (name: string) => places.map((place) => join(place, name)).find((path) => existsSync(path))
  const all: [name: string, command: string | undefined, ...terms: string[]][] = [
    [`Node ${process.version}`, process.execPath],
    ['the Node of the system', found('node')],
    ['Deno', process.env.DENO ?? found('deno'), 'run', '--allow-net'],
    ['Bun', process.env.BUN ?? found('bun'), 'run'],
  ]
  return all.filter((one): one is [string, string, ...string[]] => one[1] !== undefined)
}

const PAGE = `<!doctype html><script type="importmap">
{ "imports": { "@atrium/client": "./node_modules/@atrium/client/dist/index.js" } }
</script>`

/** A file of the application, as a plain web server gives it. */
async function give(url: string): Promise<{ status: number; type: string; body: string | Buffer }> {
  if (url === '/') return { status: 200, type: 'text/html', body: PAGE }
  const body = await readFile(application(url)).catch(() => undefined)
  return { status: body ? 200 : 404, type: url.endsWith('.js') ? 'text/javascript' : 'text/plain', body: body ?? '' }
}
