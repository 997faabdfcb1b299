import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { API, SymbolFlags } from 'typescript/unstable/sync'
import type { Tx } from '../../src/data/tx/scope.ts'
import type { Call, Prepared } from '../../src/data/wire/flight.ts'
import type { PageRequest } from '../../src/kernel/page.ts'
import { outside, schemaTypes } from './domains.ts'
import { eavesdropper } from './eavesdropper.ts'
import { expectNone } from './expect-none.ts'
import { tablesIn } from './schema-text.ts'

/** A statement of a store, and the sets of parameters that it can be called with: each makes SQL of its own. */
export interface Statement {
  /** its store and its name: `tasks.findTask` */
  name: string
  /** how it was declared: `find`, `paginate`; empty for a function that puts one together */
  verb: string
  /** the plug-in or domain from outside that it belongs to */
  domain: string | undefined
  call(tx: Tx<any>, params: object, page?: PageRequest): unknown
  shapes: Shape[]
}
export type Shape = Record<string, string>

/** What a statement sends. */
export interface Sent extends Call {
  statement: Statement
  prepared: Prepared
}

let sent: Promise<readonly Sent[]> | undefined

/** What every statement sends, in each of its shapes; of a list, for each request that makes SQL of its own. */
export function listSent(): Promise<readonly Sent[]> {
  sent ??= sendAll()
  return sent
}

/** @throws Error naming those that send nothing, which no test would look at */
async function sendAll(): Promise<readonly Sent[]> {
  const found = listStatements().flatMap((statement) =>
    statement.shapes.flatMap((shape) =>
      PAGES.map((page) => {
        const { tx, heard } = eavesdropper(42)
        void statement.call(tx, shape, page)
        return { statement, heard }
      }),
    ),
  )
  await turn()
  const silent = listStatements().filter(
    (one) => !found.some(({ statement, heard }) => statement === one && heard.length > 0),
  )
  expectNone(silent.map(({ name }) => `${name} sends no statement: each function of a store sends one`))
  return found.flatMap(({ statement, heard }) => heard.map((call) => ({ statement, ...call })))
}

/**
 * The requests that make SQL of their own of a list: before an id, by its number near the beginning, by its number with
 * many rows before it, with its total.
 */
export const PAGES: readonly PageRequest[] = [
  { limit: 20, before: 99, counted: false },
  { limit: 20, page: 2, before: undefined, counted: false },
  { limit: 200, page: 2, before: undefined, counted: false },
  { limit: 20, before: undefined, counted: true },
]

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
/** What a member sees of each kind of thing that files belong to. */
const OF_THINGS = [
  ...['readerId', 'loose', 'task.seen', 'task.memberId', 'approval.seen', 'approval.viewerId'],
  ...['article.seen', 'article.seenStatus'],
]
/** Optional parameters are read with none of them and with all; if that does not show what is called, these too. */
const TOGETHER: Record<string, string[][]> = {
  'files.getFile': [OF_THINGS],
  'files.listFiles': [OF_THINGS],
  'files.listFilesOf': [OF_THINGS],
  'files.listSearchedFiles': [OF_THINGS],
  'approvals.listApprovals': [
    ['viewerId', 'status'],
    ['viewerId', 'applicantId'],
    ['viewerId', 'approverId'],
    ['approverId', 'orAdministrators'],
  ],
  'notifications.listNotifications': [['onlyRead'], ['onlyUnread']],
  'people.insertUser': [['nickname', 'email']],
}

interface StoreFile {
  path: string
  /** its place below `domains`: `tasks`, `roles/permissions` */
  name: string
  domain: string | undefined
  /** the project that it is checked in */
  project: string
}

const files: StoreFile[] = [
  ...globSync('src/{domains,plugins}/*/**/*.store.ts', { cwd: ROOT }).map((path) => ({
    path: ROOT + path,
    name: nameOf(path.split('/')[2]!, path),
    domain: path.startsWith('src/plugins/') ? path.split('/')[2]! : undefined,
    project: `${ROOT}test/support/tsconfig.stores.json`,
  })),
  ...outside.flatMap(({ name: domain, folder }) =>
    globSync('**/*.store.ts', { cwd: folder }).map((path) => ({
      path: join(folder, path),
      name: nameOf(domain, path),
      domain,
      project: join(folder, 'tsconfig.json'),
    })),
  ),
].sort((a, b) => (a.path < b.path ? -1 : 1))

/** What each store exports, by its name. */
export const stores: Record<string, Record<string, any>> = {}
for (const { path, name } of files) stores[name] = await import(/* @vite-ignore */ pathToFileURL(path).href)

/** Every table, as the database calls it. */
export const tableNames: ReadonlySet<string> = new Set(tablesIn(schemaTypes).keys())

let listed: Statement[] | undefined

/** Every statement of the stores; the types are asked once for all tests of a process. */
export function listStatements(): Statement[] {
  listed ??= readStatements()
  return listed
}

/** A statement that one builder makes: what a call brings is the second parameter of the builder. */
const OF_ONE_BUILDER =
  /^export const \w+ = (?:directory\s*\.)?(?:find|list|lock|lockAll|write|writeReturning|updateIfUnchanged|requireAtCommit|paginate|paginateShared)\(\s*\(\s*(?:\w+|\{[\w\s,]*\}),\s*(?=\w+:)/

/**
 * What a call has to bring and what it may leave out is read off the types: a function is
 * a statement if it takes a scope or a transaction, and then parameters. The types of whole statements take seconds, so
 * where a builder names the type, that is enough.
 */
function readStatements(): Statement[] {
  const api = new API({ cwd: ROOT })
  const openProjects = [...new Set(files.map(({ project }) => project))]
  const snapshot = api.updateSnapshot({ openProjects })
  const statements = files.flatMap(({ path, name: store, domain, project }) => {
    const { checker, program } = snapshot.getProject(project)!
    const source = readFileSync(path, 'utf8')
    const exported = stores[store]!
    const functions = [...source.matchAll(/^export (?:const|(?:async )?function) (\w+)/gm)]
      .map(({ 1: name, index }) => ({ name: name!, text: source.slice(index), index }))
      .filter(({ name }) => typeof exported[name] === 'function')
      .map((one) => ({ ...one, builder: OF_ONE_BUILDER.exec(one.text)?.[0] }))
    const short = functions.filter(({ builder }) => builder)
    const found = checker.getTypeAtPosition(
      path,
      short.map(({ index, builder }) => index + builder!.length),
    )
    const types = new Map(short.map(({ name }, at) => [name, found[at]]))
    const symbols = checker.getExportsOfModule(checker.getSymbolAtLocation(program.getSourceFile(path)!)!)
    const paramsOf = (name: string) => {
      const type = checker.getTypeOfSymbol(symbols.find((symbol) => symbol.name === name)!)
      const [scope, params] = checker.getSignaturesOfType(type!, 0)[0]!.getParameters()
      return params && ['scope', 'tx'].includes(scope!.name) ? checker.getTypeOfSymbol(params) : undefined
    }
    return functions.flatMap(({ name: ownName, text }) => {
      const params = types.get(ownName) ?? paramsOf(ownName)
      if (!params) return []
      // A brand is no parameter: the checker names what is keyed by a symbol `__@…`.
      const fields = checker.getPropertiesOfType(params).filter(({ name }) => !name.startsWith('__@'))
      const [required = [], optional = []] = [0, SymbolFlags.Optional].map((flag) =>
        fields.filter(({ flags }) => (flags & SymbolFlags.Optional) === flag).map((field) => field.name),
      )
      const name = `${store}.${ownName}`
      const [, verb = ''] = /^export const \w+ = (?:directory\s*\.)?(\w+)/.exec(text) ?? []
      return { name, verb, domain, call: exported[ownName], shapes: shapesOf(required, optional, TOGETHER[name]) }
    })
  })
  snapshot.dispose()
  // If it can, the compiler prints "context canceled" when the API is closed.
  ;(api as any).client.channel.child.kill('SIGKILL')
  api.close()
  return statements
}

function shapesOf(required: string[], optional: string[], together: string[][] = []): Shape[] {
  const sets = optional.length ? [[], ...together, optional] : [[]]
  return sets.map((set) => Object.fromEntries([...required, ...set].map((name) => [name, 'sample'])))
}

function nameOf(domain: string, path: string): string {
  const file = basename(path, '.store.ts')
  return file === domain ? domain : `${domain}/${file}`
}
