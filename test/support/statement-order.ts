import { closingOf, homeOf, type SourceFile } from './source.ts'

/**
 * Reads from the source of the actions which of their flights lock and read, and in which order, without running any.
 * What a helper asks before its first answer travels in the flight of its caller, so helpers are read too; for one that
 * is passed as a method, the name says whether it locks.
 */
type Step = { name: string; kind: 'read' | 'lock' }
type Verbs = Record<string, Step['kind'] | 'helper'>

const VERBS: Record<string, Step['kind']> = { find: 'read', list: 'read', lock: 'lock', lockAll: 'lock' }
const DECLARATION = /^(?:export )?const (\w+) = (?:directory\s*\.)?(find|list|lock|lockAll|paginate|paginateShared)\b/gm
const HELPER = /^(?:export )?(?:async )?function (\w+)[(<]/gm

/** One sentence for each flight of an action in which a read may be older than the lock that it relies on. */
export function findDisorder(sources: readonly Pick<SourceFile, 'path' | 'text' | 'imports'>[]): string[] {
  const files = new Map(sources.map((file) => [file.path, { ...file, code: withoutComments(file.text) }]))

  function verbsOf(path: string): Verbs {
    const code = files.get(path)?.code ?? ''
    const helpers = [...code.matchAll(HELPER)].map(([, name]) => [name!, 'helper'])
    const statements = [...code.matchAll(DECLARATION)].flatMap(({ 0: whole, 1: name, 2: verb, index }) =>
      bracketed(code, code.indexOf('(', index + whole.length)).includes('beforeLock: true')
        ? []
        : [[name!, VERBS[verb!] ?? 'read']],
    )
    return Object.fromEntries([...helpers, ...statements])
  }

  /** The declaration of a name that is used in a file. */
  function declaredIn(path: string, name: string): string {
    const wanted = new RegExp(`\\b${name}\\b`)
    const from = files.get(path)!.imports.find(({ names }) => wanted.test(names))?.from
    return from === undefined ? path : homeOf(from, name)
  }

  /** What the calls in a piece of a file ask, in their order. */
  function stepsIn(path: string, code: string, within: readonly string[] = []): Step[] {
    return [...code.matchAll(/(\.?)\b(\w+)\(/g)].flatMap(([, dot, name]): Step[] => {
      if (dot) return /^(lock|shareLock)[A-Z]/.test(name!) ? [{ name: name!, kind: 'lock' }] : []
      const home = declaredIn(path, name!)
      const kind = verbsOf(home)[name!]
      if (kind === undefined || within.includes(name!)) return []
      if (kind !== 'helper') return [{ name: name!, kind }]
      return stepsIn(home, firstTurnOf(files.get(home)!.code, name!), [...within, name!])
    })
  }

  return [...files.values()]
    .filter(({ path }) => path.endsWith('.actions.ts'))
    .flatMap(({ path, code }) =>
      [...code.matchAll(/(Promise\.all|\.inOrder)\(/g)].flatMap((flight) => {
        const steps = stepsIn(path, bracketed(code, flight.index + flight[0].length - 1))
        const lock = steps.findLastIndex(({ kind }) => kind === 'lock')
        const read = steps.findIndex(({ kind }) => kind === 'read')
        if (lock < 0 || read < 0) return []
        const place = `${path}:${code.slice(0, flight.index).split('\n').length}`
        if (flight[1] === 'Promise.all')
          return `${place} locks (${steps[lock]!.name}) and reads (${steps[read]!.name}) in a Promise.all: use tx.inOrder, and lock first`
        if (lock < read) return []
        return `${place} reads (${steps[read]!.name}) before it locks (${steps[lock]!.name}): lock first, or declare the read with { beforeLock: true }`
      }),
    )
}

/** A function's body as far as it runs before it waits for an answer: up to the end of what its first `await` awaits. */
function firstTurnOf(code: string, name: string): string {
  const start = code.search(new RegExp(`function ${name}[(<]`))
  const body = code.slice(start, code.indexOf('\n}\n', start))
  const head = body.slice(body.indexOf('\n'))
  const waits = head.search(/\bawait\b/)
  if (waits < 0) return head
  const open = head.indexOf('(', waits)
  return head.slice(0, open) + bracketed(head, open)
}

/** From an opening bracket to the one that closes it. */
function bracketed(code: string, open: number): string {
  return code.slice(open, closingOf(code, open) + 1)
}

/** Its lines stay where they are. */
function withoutComments(text: string): string {
  return text.replace(/^\s*(\/\*\*[\s\S]*?\*\/|\/\/.*)$/gm, (comment) => comment.replace(/[^\n]/g, ''))
}
