import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const PROGRAM = `
  import fs from 'node:fs'
  import { registerHooks, syncBuiltinESMExports } from 'node:module'
  const urls = []
  registerHooks({ load: (url, context, next) => (urls.push(url), next(url, context)) })
  const original = fs.readFileSync
  const read = []
  fs.readFileSync = (path, ...rest) => (String(path).includes('/texts/') && read.push(String(path)), original(path, ...rest))
  syncBuiltinESMExports()
  await import('./src/config/own-config.ts')
  await import('./src/start.ts')
  const packages = urls.map((url) => /.*node_modules\\/((?:@[^/]+\\/)?[^/]+)/.exec(url)?.[1]).filter(Boolean)
  const loaded = { packages: [...new Set(packages)].sort(), builtIn: [...process.moduleLoadList] }
  const { buildOffline } = await import('./tools/openapi/routes.ts')
  await (await buildOffline()).ready()
  const atStart = [...read]
  const { menuNames } = await import('./src/domains/menus/menu-names.ts')
  for (const _ of [1, 2]) menuNames('zh-CN')
  console.log(JSON.stringify({ loaded, texts: { atStart, later: read } }))
  process.exit()
`

const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', PROGRAM])
const { loaded, texts } = JSON.parse(stdout) as {
  /** What a start imports, without what it imports later because of its configuration or a request. */
  loaded: { packages: string[]; builtIn: string[] }
  /** The texts that a service has read when it is ready, and after somebody has asked for some twice. */
  texts: { atStart: string[]; later: string[] }
}

test('each package that a start loads costs it time and memory; one that only few requests need is imported by them', async () => {
  await expect(`${loaded.packages.join('\n')}\n`).toMatchFileSnapshot('start.txt')
})

/** Its 700 KiB of source are loaded with `import 'node:http'`; src/util/request-outside.ts says how to do without. */
test('a start does not load the HTTP client of fetch', () => {
  expect(loaded.builtIn).toContain('NativeModule http')
  expect(loaded.builtIn.filter((name) => name.includes('undici'))).toEqual([])
})

test('a start reads no texts: they are read when somebody asks for them, once', () => {
  const { href } = new URL('../../src/domains/menus/texts/zh.json', import.meta.url)
  expect(texts).toEqual({ atStart: [], later: [href] })
})
