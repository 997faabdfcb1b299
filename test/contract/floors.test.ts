import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { domains, expectGolden, outside, partOf } from '../support/domains.ts'
import { expectOnlyExceptions } from '../support/exceptions.ts'
import { expectNone } from '../support/expect-none.ts'
import { homeOf, readSources } from '../support/source.ts'

const sources = readSources()
const imports = sources.flatMap(({ path, imports }) => imports.map((one) => ({ path, ...one })))
/** Every name that a domain imports from elsewhere, with the file that declares it. */
const homes = imports
  .filter(({ path }) => domainOf(path))
  .flatMap(({ path, names, from, isType }) =>
    [...names.matchAll(/(type )?(\w+)(?: as \w+)?/g)].map(([, type, name]) => ({
      path,
      name: name!,
      isType: isType || type !== undefined,
      home: homeOf(from, name!),
    })),
  )
const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const DOOR = 'src/atrium/atrium.ts'
const FACE = /^src\/(?:domains|plugins)\/([\w-]+)\/\1\.ts$/
const isPackage = (from: string) => !/^(src|appliance|node:)/.test(from)

/**
 * Each room with those it may import from; the table is read from the ground up, so no room imports one that stands below it
 * in this list. A file that lies in no folder is a room of its own. `src` is all of it but domains and plug-ins, which are
 * asked through ports.
 */
const FLOORS: Record<string, readonly string[]> = {
  'src/kernel': [],
  'src/util': [],
  'src/data': ['src/kernel', 'src/util'],
  'src/config': ['src/data', 'src/util', 'package.json'],
  'src/http': ['src/config', 'src/data', 'src/kernel', 'src/util'],
  'src/atrium': ['src/config', 'src/data', 'src/kernel', 'src/util'],
  'src/domains': ['src/atrium'],
  'src/plugins': ['src/atrium', 'src/domains'],
  'src/load-domains.ts': ['src/atrium', 'src/config', 'src/data', 'src/domains'],
  'src/terminal-log.ts': [],
  'src/log.ts': ['src/terminal-log.ts', 'src/util'],
  'src/app.ts': ['src/atrium', 'src/config', 'src/data', 'src/http', 'src/load-domains.ts', 'src/log.ts', 'src/util'],
  'src/serve.ts': ['src/app.ts', 'src/config', 'src/data', 'src/http'],
  'src/start.ts': [
    'src/app.ts',
    'src/atrium',
    'src/config',
    'src/data',
    'src/kernel',
    'src/load-domains.ts',
    'src/serve.ts',
    'src/util',
  ],
  'appliance/embedded': [],
  'appliance/workers': ['src'],
  'appliance/cli': ['appliance/embedded', 'src'],
  'appliance/backup': ['appliance/cli', 'src'],
  'appliance/doctor': ['appliance/cli', 'appliance/workers', 'src'],
  'appliance/cli.ts': ['appliance/backup', 'appliance/cli', 'appliance/doctor', 'src'],
  'appliance/main.ts': ['appliance/cli', 'appliance/doctor', 'appliance/embedded', 'appliance/workers', 'src'],
}

describe('imports go down or stay inside', () => {
  test('each room imports only from those below it', () => {
    const up = imports
      .filter(({ from }) => from.startsWith('src/') || from.startsWith('appliance/'))
      .map(({ path, from }) => ({ path, from, here: roomOf(path), there: roomOf(from) }))
      .filter(({ here, there }) => here !== there && !mayImport(here, there))
      .map(({ path, from, here }) => `${path} imports ${from}, which is not below ${here}: move what is needed down`)
    expectNone(up)
  })

  test('and stands above all that it may import from', () => {
    const rooms = Object.keys(FLOORS)
    const below = (room: string, other: string) => rooms.indexOf(other) < rooms.indexOf(room)
    const upside = rooms.flatMap((room) =>
      FLOORS[room]!.filter((other) => rooms.includes(other) && !below(room, other)).map(
        (other) => `${room} → ${other}`,
      ),
    )
    expectNone(upside)
  })

  test('of packages the kernel imports only zod, and data neither fastify nor zod', () => {
    const packages = (folder: string) => from(folder).filter(({ from }) => isPackage(from))
    expectNone(packages('src/kernel/').flatMap(({ path, from }) => (from === 'zod' ? [] : `${path} imports ${from}`)))
    expectNone(
      packages('src/data/').flatMap(({ path, from }) => (/fastify|zod/.test(from) ? `${path} imports ${from}` : [])),
    )
  })
})

/** The folder under src or appliance that a file lies in, or the file. */
function roomOf(path: string): string {
  return path.split('/').slice(0, 2).join('/')
}

function mayImport(here: string, there: string): boolean {
  const below = FLOORS[here]
  if (!below) throw new Error(`${here} has no floor: add it to FLOORS`)
  const isDomain = there === 'src/domains' || there === 'src/plugins'
  return below.includes(there) || (below.includes('src') && there.startsWith('src/') && !isDomain)
}

describe('rooms stay small enough to be entered', () => {
  const written = sources.filter(({ text }) => !text.startsWith('// Generated'))

  test('no file of the source is longer than 250 lines below its imports', () => {
    const linesOf = (text: string) =>
      text
        .replace(/^import [\s\S]*?'$/gm, '')
        .trim()
        .split('\n').length
    const long = written.filter(({ text }) => linesOf(text) > 250)
    expectNone(long.map(({ path }) => `${path} is longer than 250 lines: make two of it`))
  })

  test('no folder holds more than twelve files, beside the face of a domain', () => {
    const files = written.filter(({ path }) => !FACE.test(path))
    const folders = Map.groupBy(files, ({ path }) => path.slice(0, path.lastIndexOf('/')))
    const full = [...folders].filter(([, files]) => files.length > 12)
    expectNone(full.map(([folder, files]) => `${folder} has ${files.length} files: make two of it`))
  })
})

test('no files import each other in a circle, types included', () => {
  expectNone(circles())
})

describe('domains form a line', () => {
  const ours = domains.filter(({ name }) => !outside.some((one) => one.name === name))
  const named = new Map(ours.map((domain) => [domain.name, domain]))

  test('each folder is one that is on the list', () => {
    const folders = new Set(sources.flatMap(({ path }) => domainOf(path) ?? []))
    expect([...folders].sort()).toEqual([...named.keys()].sort())
  })

  test('none is a package of its own, which its imports would be resolved from', () => {
    const stray = globSync('src/{domains,plugins}/*/{package,tsconfig}.json', { cwd: ROOT })
    expectNone(stray.map((path) => `${path} belongs to a domain outside of src: delete it`))
  })

  test('each imports from the door, its own folder, and the faces of those that it declares to use', () => {
    const foreign = imports
      .map(({ path, from }) => ({ path, from, here: domainOf(path), there: domainOf(from) }))
      .filter(({ here, there, from }) => here && here !== there && from.startsWith('src/'))
      .flatMap(({ path, from, here, there }) => {
        if (from === DOOR) return []
        if (!there) return `${path} imports ${from}: take it from #atrium`
        if (pluginOf(from) && !pluginOf(path))
          return `${path} is of the core and imports ${from} of a plug-in: open a port, which the plug-in fills`
        if (!FACE.test(from)) return `${path} imports ${from}: take it from #atrium/${there}, and let its face lend it`
        return usedBy(here!).includes(there)
          ? []
          : `${path} imports ${from}: add ${there} to \`uses\` of ${here}.domain.ts`
      })
    expectNone(foreign)
  })

  test('nobody else looks into a domain but through its face', () => {
    const inside = imports.filter(
      ({ path, from }) => domainOf(from) && !domainOf(path) && !FACE.test(from) && path !== 'src/domains/index.ts',
    )
    expectNone(inside.map(({ path, from }) => `${path} imports ${from}: take it from #atrium/${domainOf(from)}`))
  })

  test('a face only hands on what stands in its own folder', () => {
    const faces = sources.filter(({ path }) => FACE.test(path))
    const own = faces.filter(({ code }) => code.replace(/^export [^;]*? from '\.\/[^']+'$/gm, '').trim() !== '')
    expectNone(own.map(({ path }) => `${path} is a face: let it only \`export { … } from './…'\``))
  })

  test('and has its place in the tsconfig that domains from outside extend', () => {
    const lending = sources.flatMap(({ path }) =>
      FACE.test(path) && !pluginOf(path) ? [`atrium/${domainOf(path)}`] : [],
    )
    const { paths } = JSON.parse(
      readFileSync(new URL('../../src/atrium/tsconfig.json', import.meta.url), 'utf8'),
    ).compilerOptions
    expectNone(lending.filter((face) => !paths[face]).map((face) => `src/atrium/tsconfig.json has no path for ${face}`))
  })

  test('and uses what it declares', () => {
    const isUsed = (here: string, there: string) =>
      imports.some(
        ({ path, from, names }) =>
          domainOf(path) === here &&
          domainOf(from) === there &&
          // The declaration itself imports the other one, and perhaps a port of it.
          (!path.endsWith('.domain.ts') || names.includes(',')),
      )
    const idle = [...named.keys()].flatMap((here) =>
      usedBy(here)
        .filter((there) => !isUsed(here, there))
        .map(
          (there) => `${here}.domain.ts declares to use ${there} and imports nothing of it: remove it from \`uses\``,
        ),
    )
    expectNone(idle)
  })

  /** A circle in `uses` would be a circle of imports, which the test above finds. */
  function usedBy(name: string): string[] {
    return (named.get(name)?.uses ?? []).map((domain) => domain.name)
  }

  test('rules and schemas touch no data', () => {
    expect(homes.length).toBeGreaterThan(500)
    expectNone(
      homes
        .filter(
          ({ path, home, isType }) => /\.(rules|schemas)\.ts$/.test(path) && home.startsWith('src/data/') && !isType,
        )
        .map(({ path, name, home }) => `${path} imports ${name} of ${home}: only a store or an action may`),
    )
    const web = imports.filter(({ path, from }) => /\.(rules|schemas|store)\.ts$/.test(path) && /fastify/.test(from))
    expectNone(web.map(({ path, from }) => `${path} imports ${from}: only routes may`))
  })
})

describe('the drivers stay in data', () => {
  test('nobody else imports pg or ioredis, but for a type', () => {
    const drivers = imports.filter(({ path, from }) => /^(pg|ioredis)$/.test(from) && !path.startsWith('src/data/'))
    // A backup is a snapshot of its own connection, and the embedded server is asked before the service has any.
    const OTHERS = /^appliance\/(backup|embedded)\//
    expectOnlyExceptions(
      'a connection past the pools',
      drivers.flatMap(({ isType, path, from }) =>
        isType || OTHERS.test(path) ? [] : [{ place: path, says: `${path} imports ${from}` }],
      ),
    )
    expect(drivers.map(({ path }) => path)).toContain('src/domains/roles/catalogue.ts')
  })

  test('of Kysely the domains take only the sql tag, and that in their stores', () => {
    const stray = imports.filter(
      ({ path, from }) => from === 'kysely' && !path.startsWith('src/data/') && path !== DOOR,
    )
    expectNone(stray.map(({ path }) => `${path} imports kysely: take \`sql\` from #atrium`))
    const tags = homes.filter(({ path, name, isType }) => name === 'sql' && !isType && domainOf(path))
    const elsewhere = tags.filter(
      ({ path }) => !/^src\/(domains|plugins)\/[\w-]+\/([\w-]+\/)?([\w-]+\.store|bootstrap)\.ts$/.test(path),
    )
    expectNone(elsewhere.map(({ path }) => `${path} writes SQL: only a store may`))
  })
})

test('the doors out of a tenant are few, and those that were reviewed', async () => {
  const doors: [name: string, what: string, pattern: RegExp][] = [
    ['enterTenant', 'from one tenant into another, in one transaction', /\benter(New)?Tenant\(/g],
    ['openScope', 'a handle of a tenant that is named by something else than the request', /\bopenScopes?\(/g],
    ['sharedScope', 'a handle of no tenant', /\bsharedScope\(/g],
    ['directory', 'statements on the shared tables', /\bdirectory\s*\.\w+/g],
    ['cold', 'a builder that knows no tenant', /\bcold\b(?!:)/g],
    ['seen', 'what a person may see of a kind, made from the person', /\bseen\(/g],
    ['seesEverything', 'statements whose rows nobody narrows, with the reason beside', /\bseesEverything\(/g],
  ]
  await expectGolden({ file: 'doors.txt', means: 'A door out of a tenant is used elsewhere' }, (of) =>
    doors
      .flatMap(([name, what, pattern]) => {
        const used = Object.entries(uses(pattern)).map(
          ([path, count]) => [pluginOf(path) ?? '', `  ${String(count).padStart(2)}  ${path}`] as const,
        )
        const part = partOf(of, used)
        return part ? [`${name}: ${what}\n${part}`] : []
      })
      .join('\n'),
  )
})

test('no number is coerced: z.coerce would read 0x10', () => {
  const coercing = Object.keys(uses(/z\.coerce/g))
  expectNone(
    coercing.map((path) => `${path} uses z.coerce: take Count, bounded(…) or Flag, which check the text first`),
  )
})

function from(folder: string) {
  return imports.filter(({ path }) => path.startsWith(folder))
}

/** Files that lead back to themselves: what is left when those that import nothing of the rest are taken away, again and again. */
function circles(): string[] {
  const left = new Map(sources.map(({ path, imports }) => [path, imports.map(({ from }) => from)]))
  for (let before = -1; before !== left.size; ) {
    before = left.size
    for (const [path, needs] of left) if (!needs.some((from) => left.has(from))) left.delete(path)
  }
  return [...left].map(
    ([path, needs]) =>
      `${path} is in a circle of imports with ${needs.filter((from) => left.has(from)).join(', ')}: move what both need down`,
  )
}

/** The code of each file without its imports and the names of what it defines. */
let calling: [path: string, calls: string][] | undefined

/** How often the pattern occurs in which file; definitions and imports do not count. */
function uses(pattern: RegExp): Record<string, number> {
  calling ??= sources.map(({ path, code }) => {
    const calls = code.replace(/^import [\s\S]*?'$/gm, '').replace(/^export (async )?(function|const) \w+/gm, '')
    return [path, calls]
  })
  const counts = calling.map(([path, calls]) => [path, calls.match(pattern)?.length ?? 0] as const)
  return Object.fromEntries(counts.filter(([, count]) => count > 0))
}

function pluginOf(path: string): string | undefined {
  return path.match(/^src\/plugins\/([\w-]+)\//)?.[1]
}

function domainOf(path: string): string | undefined {
  return path.match(/^src\/(?:domains|plugins)\/([\w-]+)\//)?.[1]
}
