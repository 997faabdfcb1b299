import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { beforeAll, expect, test } from 'vitest'

/** What a start imports, without what it imports later because of its configuration or a request. */
let loaded: { packages: string[]; builtIn: string[] }

const PROGRAM = `
  import { registerHooks } from 'node:module'
  const urls = []
  registerHooks({ load: (url, context, next) => (urls.push(url), next(url, context)) })
  await import('./src/config/own-config.ts')
  await import('./src/start.ts')
  const packages = urls.map((url) => /.*node_modules\\/((?:@[^/]+\\/)?[^/]+)/.exec(url)?.[1]).filter(Boolean)
  console.log(JSON.stringify({ packages: [...new Set(packages)].sort(), builtIn: process.moduleLoadList }))
  process.exit()
`

beforeAll(async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', PROGRAM])
  loaded = JSON.parse(stdout)
}, 60_000)

test('each package that a start loads costs it time and memory; one that only few requests need is imported by them', async () => {
  await expect(`${loaded.packages.join('\n')}\n`).toMatchFileSnapshot('start.txt')
})

/** Its 700 KiB of source are loaded with `import 'node:http'`; src/util/request-outside.ts says how to do without. */
test('a start does not load the HTTP client of fetch', () => {
  expect(loaded.builtIn).toContain('NativeModule http')
  expect(loaded.builtIn.filter((name) => name.includes('undici'))).toEqual([])
})
