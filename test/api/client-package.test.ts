import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { chromium } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CHROMIUM, hasBrowser } from '../support/console.ts'
import { openWorld, type World } from '../support/world.ts'

/** The client as others get it: packed, installed into an empty folder, and used by whatever runs there. */
const run = promisify(execFile)
const fileOf = (path: string) => fileURLToPath(new URL(path, import.meta.url))
const CLIENT = fileOf('../../client')
const SESSION = fileOf('../support/client-session.js')
/** A name that no browser takes for its own machine, so what comes from there over HTTP is no secure context. */
const INTRANET = 'intranet.example'

/** What the session reports of itself. */
const expected = {
  username: 'admin',
  titles: ['Land', 'Launch'],
  again: 'PROJECT_CODE_TAKEN',
  file: 'hello',
  first: 'unread-count',
  after: 401,
}

let world: World
let folder: string
let pages: Server
/** where the service is, to this machine */
let baseUrl: string
let pagesPort: number

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'atrium-client-'))
  pages = createServer(
    (req, res) => void give(req.url!).then((answer) => res.writeHead(...answer.head).end(answer.body)),
  )
  await new Promise<void>((resolve) => pages.listen(0, '127.0.0.1', resolve))
  pagesPort = (pages.address() as AddressInfo).port
  world = await openWorld({ env: { CORS_ORIGINS: `http://${INTRANET}:${pagesPort}` } })
  baseUrl = await world.app.listen({ port: 0, host: '127.0.0.1' })

  const place = join(folder, 'application')
  await mkdir(place)
  await writeFile(join(place, 'package.json'), '{ "private": true, "type": "module" }')
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund', await packedAsTheReadmeSays()], { cwd: place })
  await cp(SESSION, join(place, 'session.js'))
  await writeFile(
    join(place, 'main.js'),
    `import { session } from './session.js'\nconsole.log(JSON.stringify(await session('${baseUrl}')))\n`,
  )
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
  const isBuilt = (path: string) => path === join(CLIENT, 'dist')
  await cp(CLIENT, join(checkout, 'client'), { recursive: true, filter: (path) => !isBuilt(path) })
  for (const name of ['package.json', '.npmrc', 'README.md']) await cp(fileOf(`../../${name}`), join(checkout, name))
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
  await writeFile(
    application('page.ts'),
    `import { createClient, type Task } from '@atrium/client'
const atrium = createClient({ baseUrl: '' })
export const titleOf = async (id: number): Promise<Task['title']> => (await atrium.getTask({ id })).title
// @ts-expect-error a task has an id
export const wrong = () => atrium.getTask()
`,
  )
  const terms = ['--strict', '--noEmit', '--target', 'es2022', '--module', 'esnext', '--moduleResolution', 'bundler']
  const compiled = run('tsc', [...terms, '--lib', 'es2022,dom', '--types', '', 'page.ts'], {
    cwd: `${folder}/application`,
  })
  await expect(compiled.catch(({ stdout }) => stdout)).resolves.toMatchObject({ stdout: '' })
})

describe('it works', () => {
  test.each(runtimes())('in %s', async (_, command, ...terms) => {
    const { stdout } = await run(command, [...terms, 'main.js'], { cwd: application('.') })
    expect(JSON.parse(stdout)).toEqual(expected)
  })

  test.skipIf(!hasBrowser)('in a browser, on a page that came by plain HTTP', async () => {
    const browser = await chromium.launch({
      executablePath: CHROMIUM,
      args: [
        '--no-sandbox',
        '--disable-gpu',
        `--host-resolver-rules=MAP ${INTRANET} 127.0.0.1,MAP *.${INTRANET} 127.0.0.1`,
      ],
    })
    try {
      const page = await browser.newPage()
      await page.goto(`http://${INTRANET}:${pagesPort}/`)
      expect(await page.evaluate('[isSecureContext, typeof crypto.randomUUID]')).toEqual([false, 'undefined'])
      const service = `http://${INTRANET}:${new URL(baseUrl).port}`
      expect(await page.evaluate(`import('./session.js').then(({ session }) => session('${service}'))`)).toEqual(
        expected,
      )
      // Under another name the page has an origin that the service does not know.
      await page.goto(`http://localhost.${INTRANET}:${pagesPort}/`)
      const refused = `import('./session.js').then(({ session }) => session('${service}')).catch((error) => error.message)`
      expect(await page.evaluate(refused)).toContain('CORS_ORIGINS does not name this origin')
    } finally {
      await browser.close()
    }
  })
})

/** What there is here that runs JavaScript: this Node, the one that the system brings, Deno and Bun. */
function runtimes(): [name: string, command: string, ...terms: string[]][] {
  const found = (name: string) =>
    (process.env.PATH ?? '')
      .split(delimiter)
      .filter((place) => !place.includes('node_modules'))
      .map((place) => join(place, name))
      .find((path) => existsSync(path))
  const [node, deno, bun] = [found('node'), process.env.DENO ?? found('deno'), process.env.BUN ?? found('bun')]
  return [
    [`Node ${process.version}`, process.execPath],
    ...(node ? [['the Node of the system', node] as [string, string]] : []),
    ...(deno ? [['Deno', deno, 'run', '--allow-net'] as [string, string, ...string[]]] : []),
    ...(bun ? [['Bun', bun, 'run'] as [string, string, ...string[]]] : []),
  ]
}

const TYPES: Record<string, string> = { '.html': 'text/html', '.js': 'text/javascript' }
const PAGE = `<!doctype html><script type="importmap">
{ "imports": { "@atrium/client": "./node_modules/@atrium/client/dist/index.js" } }
</script>`

/** A file of the application, as a plain web server gives it. */
async function give(url: string): Promise<{ head: [number, Record<string, string>]; body: string | Buffer }> {
  if (url === '/') return { head: [200, { 'content-type': 'text/html' }], body: PAGE }
  const body = await readFile(application(url)).catch(() => undefined)
  return body
    ? { head: [200, { 'content-type': TYPES[extname(url)] ?? 'text/plain' }], body }
    : { head: [404, {}], body: '' }
}
