import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { API, SymbolFlags } from 'typescript/unstable/sync'
import type { Tx } from '../../src/data/tx/scope.ts'
import type { PageRequest } from '../../src/kernel/page.ts'

/** A statement of a store, and the sets of parameters that it can be called with: each makes SQL of its own. */
export interface Statement {
  /** its store and its name: `tasks.findTask` */
  name: string
  call(tx: Tx<any>, params: object, page?: PageRequest): unknown
  shapes: Shape[]
}
export type Shape = Record<string, string>

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
/** Parameters that may be left out are read with none of them and with all; where that does not show what is called, these too. */
const TOGETHER: Record<string, string[][]> = {
  'approvals.listApprovals': [
    ['viewerId', 'status'],
    ['viewerId', 'applicantId'],
    ['viewerId', 'approverId'],
    ['approverId', 'orAdministrators'],
  ],
  'notifications.listNotifications': [['onlyRead'], ['onlyUnread']],
  'people.insertUser': [['nickname', 'email']],
}

/** What each store exports, by its place below `domains`: `tasks`, `roles/permissions`. */
export const stores: Record<string, Record<string, any>> = {}
const files = globSync('src/domains/*/*.store.ts', { cwd: ROOT }).sort()
for (const file of files) stores[nameOf(file)] = await import(/* @vite-ignore */ pathToFileURL(ROOT + file).href)

/**
 * Every statement of the stores. What a call has to bring and what it may leave out is read off the types: a function is
 * a statement if it takes a scope or a transaction, and then parameters.
 */
export function listStatements(): Statement[] {
  const api = new API({ cwd: ROOT })
  const [project] = api.updateSnapshot({ openProjects: [`${ROOT}test/support/tsconfig.stores.json`] }).getProjects()
  const { checker, program } = project!
  const statements = files.flatMap((file) => {
    const source = readFileSync(ROOT + file, 'utf8')
    const placeOf = ({ name }: { name: string }) => source.search(new RegExp(`^export [a-z ]+ ${name}\\b`, 'm'))
    const exported = stores[nameOf(file)]!
    const symbols = checker
      .getExportsOfModule(checker.getSymbolAtLocation(program.getSourceFile(ROOT + file)!)!)
      .filter(({ name }) => typeof exported[name] === 'function')
      .sort((a, b) => placeOf(a) - placeOf(b))
    const types = checker.getTypeOfSymbol(symbols)
    return symbols.flatMap((symbol, at) => {
      const [scope, params] = checker.getSignaturesOfType(types[at]!, 0)[0]!.getParameters()
      if (!params || !['scope', 'tx'].includes(scope!.name)) return []
      const fields = checker.getPropertiesOfType(checker.getTypeOfSymbol(params)!)
      const [required = [], optional = []] = [0, SymbolFlags.Optional].map((flag) =>
        fields.filter(({ flags }) => (flags & SymbolFlags.Optional) === flag).map((field) => field.name),
      )
      const name = `${nameOf(file)}.${symbol.name}`
      return { name, call: exported[symbol.name], shapes: shapesOf(required, optional, TOGETHER[name]) }
    })
  })
  api.close()
  return statements
}

function shapesOf(required: string[], optional: string[], together: string[][] = []): Shape[] {
  const sets = optional.length ? [[], ...together, optional] : [[]]
  return sets.map((set) => Object.fromEntries([...required, ...set].map((name) => [name, 'sample'])))
}

function nameOf(file: string): string {
  return file.replace(/^src\/domains\/|\.store\.ts$/g, '').replace(/^(\w+)\/\1$/, '$1')
}
