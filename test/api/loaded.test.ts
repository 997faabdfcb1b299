import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'

/** What a process of this Node has loaded, of our files and of packages, when it has imported a file of ours. */
function loadedWith(file: string): string[] {
  const script = `
    import { registerHooks } from 'node:module'
    const loaded = []
    registerHooks({ load(url, context, next) { loaded.push(url); return next(url, context) } })
    await import(${JSON.stringify(new URL(`../../src/${file}`, import.meta.url).href)})
    process.stdout.write(JSON.stringify(loaded))`
  return JSON.parse(execFileSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' }))
}

test.each([
  ['the client of Redis', /node_modules\/ioredis\//],
  ['the embedded database', /src\/embedded\/(?!embedded-problem)/],
  ['the clients of S3 and of traces', /node_modules\/(@aws-sdk|@opentelemetry\/(?!api\/))/],
  ['the documentation page', /node_modules\/@scalar\//],
  ['what finds out the kind of a file', /node_modules\/file-type\//],
])('a service that was not asked for it does not load %s', (_, path) => {
  expect(ofTheService().filter((url) => path.test(url))).toEqual([])
  expect(ofTheService().length).toBeGreaterThan(100)
})

let known: string[] | undefined
const ofTheService = () => (known ??= loadedWith('start.ts'))
