import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { outside } from './domains.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))

export interface SourceFile {
  /** from the root of the repository: `src/kernel/zod.ts` */
  path: string
  text: string
  /** the text without its comments */
  code: string
  imports: Import[]
}
export interface Import {
  /** a package, or a file from the root of the repository */
  from: string
  names: string
  isType: boolean
}

const read = new Map<string, SourceFile[]>()

/** Every source file of the service and the appliance around it, or of a domain from outside; read once for all tests. */
export function readSources(folder?: string): readonly SourceFile[] {
  const cwd = folder ?? ROOT
  const sources = read.get(cwd) ?? readAll(cwd, folder ? '*.ts' : '{src,appliance}/**/*.ts')
  read.set(cwd, sources)
  return sources
}

function readAll(cwd: string, pattern: string): SourceFile[] {
  return globSync(pattern, {
    cwd,
    exclude: ['src/{domains,plugins}/*/{test,browser,console}/**', 'src/{domains,plugins}/*/{demo,growth}.ts'],
  })
    .sort()
    .map((path) => sourceOf(path, readFileSync(join(cwd, path), 'utf8')))
}

export function sourceOf(path: string, text: string): SourceFile {
  const code = text.replace(/^\s*(\/\*\*[\s\S]*?\*\/|\/\/.*)$/gm, '')
  return { path, text, code, imports: importsOf(path, code) }
}

/** What a finder of mistakes looks at. */
export type Source = Pick<SourceFile, 'path' | 'text'>

/** Whether a file belongs to a domain of the core or to a plug-in. */
export function isOfDomain({ path }: Pick<SourceFile, 'path'>): boolean {
  return /^src\/(domains|plugins)\//.test(path)
}

/** The files of all domains; of those from outside with their paths from the working directory. */
export function readDomains(): SourceFile[] {
  const fromOutside = outside.flatMap(({ folder }) =>
    readSources(folder).map((file) => ({ ...file, path: join(relative(process.cwd(), folder), file.path) })),
  )
  return [...readSources().filter(isOfDomain), ...fromOutside]
}

/** The line at which a place of a text stands. */
export function lineOf(text: string, at: number): number {
  return text.slice(0, at).split('\n').length
}

/** Where the bracket that opens at a place of a text is closed; the end of the text if it is not. */
export function closingOf(text: string, open: number): number {
  let depth = 0
  for (let at = open; at < text.length; at++) {
    if ('([{'.includes(text[at]!)) depth++
    if (')]}'.includes(text[at]!) && --depth === 0) return at
  }
  return text.length
}

function importsOf(path: string, code: string): Import[] {
  const found = code.matchAll(/(?:^|\s)(?:import|export)\s+(type\s)?([^'"]*?)\s?from '([^']+)'|import\('([^']+)'\)/g)
  return [...found].map(([, type, names, from, dynamic]) => ({
    from: resolveFrom(path, from ?? dynamic!),
    names: names ?? '',
    isType: type !== undefined,
  }))
}

function resolveFrom(path: string, from: string): string {
  const [, plugin] = from.match(/^(?:#|atrium\/)plugins\/([\w-]+)$/) ?? []
  if (plugin) return `src/plugins/${plugin}/${plugin}.ts`
  const [, face] = from.match(/^#?atrium\/([\w-]+)$/) ?? []
  if (face) return `src/domains/${face}/${face}.ts`
  if (/^#?atrium$/.test(from)) return 'src/atrium/atrium.ts'
  return from.startsWith('.') ? normalize(join(dirname(path), from)) : from
}

/**
 * The declaration of a name that is imported from a file: through the door, or the face of a domain, which only
 * re-export. @param from a file from the root of the repository, or a package
 */
export function homeOf(from: string, name: string): string {
  for (const { names, next } of exportsOf(from).handedOn) {
    const original = names === '*' ? name : names.get(name)
    if (original === undefined) continue
    const home = homeOf(next, original)
    if (names !== '*' || exportsOf(home).declared.has(original)) return home
  }
  return from
}

interface Exports {
  /** names under which it exports what another file declares, with those that they have there; `*` for all */
  handedOn: { names: '*' | Map<string, string>; next: string }[]
  declared: Set<string>
}
const exported = new Map<string, Exports>()

function exportsOf(from: string): Exports {
  const found = exported.get(from) ?? readExports(from)
  exported.set(from, found)
  return found
}

function readExports(from: string): Exports {
  const path = join(ROOT, from)
  const code = existsSync(path) ? readFileSync(path, 'utf8') : ''
  const again = code.matchAll(/^export (?:type )?(\{[^}]*\}|\*) from '([^']+)'/gm)
  const here = code.matchAll(
    /^export (?:declare )?(?:async )?(?:abstract )?(?:function\*?|const|let|class|type|interface) (\w+)/gm,
  )
  return {
    handedOn: [...again].map(([, names, next]) => ({
      names: names === '*' ? names : namesIn(names!),
      next: resolveFrom(from, next!),
    })),
    declared: new Set([...here].map(([, name]) => name!)),
  }
}

/** `{ a, type b, c as d }` → the names under which they are exported, with those that they have at home. */
function namesIn(list: string): Map<string, string> {
  const entries = list
    .slice(1, -1)
    .split(',')
    .flatMap((entry): [string, string][] => {
      const [, original, as] = entry.trim().match(/^(?:type )?(\w+)(?: as (\w+))?$/) ?? []
      return original ? [[as ?? original, original]] : []
    })
  return new Map(entries)
}
