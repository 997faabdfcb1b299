import { execFile } from 'node:child_process'
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { expect, test, vi } from 'vitest'
import { newFolder } from '../support/folder.ts'
import { TSC } from '../support/programs.ts'
import { openWorld } from '../support/world.ts'

/** What the README shows is what somebody who has never seen the project will type. */
const README = new URL('../../README.md', import.meta.url)
const DOCUMENT = new URL('../../openapi.json', import.meta.url)
const CLIENT = fileURLToPath(new URL('../../client/', import.meta.url))

const world = await openWorld()
const dir = newFolder()

test('the first request creates a project, and is refused when it is sent again', async () => {
  const [, shown, promised] = /```sh\n(token=[\s\S]*?)```\s+```json\n(.*)\n```/.exec(await readFile(README, 'utf8'))!
  const [login, create] = shown!.replaceAll('\\\n', ' ').split('\n\n').map(requestOf)
  const { data } = (await world.app.inject(login!)).json()
  const authorization = create!.headers.authorization!.replace('$token', data.accessToken)
  const send = () => world.app.inject({ ...create!, headers: { ...create!.headers, authorization } })

  const first = await send()
  expect(first.statusCode).toBe(201)
  expect(first.json().data).toMatchObject(create!.payload)
  // As it is shown, with `…` for what is left out.
  const parts = promised!.split(/\s?…\s?/).map((part) => RegExp.escape(part))
  expect(first.body).toMatch(new RegExp(`^${parts.join('.*')}$`))
  expect((await send()).json()).toMatchObject({ code: 409, error: { type: 'IDEMPOTENCY_KEY_REUSED' } })
})

test('the project of the first request does not take the code that the documentation page offers', async () => {
  const { paths } = JSON.parse(await readFile(DOCUMENT, 'utf8'))
  const { example } = paths['/api/v1/projects'].post.requestBody.content['application/json']

  expect(example.code).toMatch(/^[A-Z]+$/)
  expect(await readFile(README, 'utf8')).not.toContain(`"${example.code}"`)
})

test('the example of the client does what it says, in at most a dozen lines', async () => {
  const [, example] = /```ts\n([\s\S]*?)```/.exec(await readFile(join(CLIENT, 'README.md'), 'utf8'))!
  const baseUrl = await world.app.listen({ port: 0, host: '127.0.0.1' })
  await givenPackage('@atrium/client')
  const page = join(dir, 'page.ts')
  await writeFile(page, example!.replace('http://localhost:8080', baseUrl))
  const printed = vi.spyOn(console, 'log').mockImplementation(() => {})

  await import(/* @vite-ignore */ pathToFileURL(page).href)

  expect(printed.mock.calls).toEqual([['Launch', 'IN_PROGRESS']])
  expect(example!.trim().split('\n').length).toBeLessThanOrEqual(12)
  const [task] = await world.look.rows('select title, priority, version from tasks')
  expect(task).toEqual({ title: 'Launch', priority: 'HIGH', version: 1 })
})

/** A command line of curl as a request of its own. */
function requestOf(command: string) {
  const [, url] = /curl -s localhost:8080(\S+)/.exec(command)!
  const [, body] = / -d '([^']+)'/.exec(command)!
  const headers = [...command.matchAll(/ -H ['"]([^:]+): ([^'"]+)['"]/g)].map(([, name, value]) => [name!, value!])
  return {
    ...{ method: 'POST' as const, url: url!, payload: JSON.parse(body!) as object },
    headers: Object.fromEntries(headers) as Record<string, string>,
  }
}

/** As `npm run client` makes it and `npm install` takes it in. */
async function givenPackage(name: string) {
  const place = join(dir, 'node_modules', name)
  await mkdir(place, { recursive: true })
  await cp(join(CLIENT, 'package.json'), join(place, 'package.json'))
  await promisify(execFile)(TSC, ['-p', CLIENT, '--outDir', join(place, 'dist')])
}
