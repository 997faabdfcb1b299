import { closingOf, type SourceFile } from '../source.ts'
import { breachAt, notInStores, type Rule, statementsOf } from './rule.ts'

const ROUTE = /\w\.(get|head|post|put|patch|delete)(?:<\w*>)?\(\s*['`](\/[^'`]*)/g

/** The routes of a file, each with its text. */
function routesIn(source: SourceFile) {
  const routes = source.path.endsWith('.routes.ts') ? [...source.text.matchAll(ROUTE)] : []
  return routes.map(({ 1: method, 2: address, index }, at) => {
    const text = source.text.slice(index, routes[at + 1]?.index ?? source.text.length)
    return { source, index, text, reads: method === 'get' || method === 'head', address: address! }
  })
}

/** What a line ends with whose expression goes on in the next one. */
const GOES_ON = /(?:=>|[(,?:=[|&+]|\b(?:return|await|void))$/
const LOOP = /\b(?:for \(|while \(|\.(?:map|flatMap|forEach|reduce)\()/g

/** What only the place of a call shows. */
export const CALLS: readonly Rule[] = [
  {
    // A GET reads; what opens a transaction is refused there, with a 500.
    what: 'a GET that opens a transaction',
    find: (sources) =>
      sources.flatMap(routesIn).flatMap(({ source, index, text, reads }) => {
        const at = text.search(/\btransact\(/)
        if (at < 0 || !reads) return []
        return breachAt(
          { source, index: index + at },
          'transacts in a GET, which only reads: use req.scope, or make it a POST',
        )
      }),
    file: 'routes',
    wrong: [["app.get('/hats/:id', (req) => req.transact((tx) => readHat(tx)))", 'transacts in a GET']],
    right: ["app.put('/hats/:id', (req) => req.transact((tx) => makeHat(tx)))\napp.get('/hats', list)"],
  },
  {
    // What anybody may send, they may send a million times.
    what: 'a command of anyone without a limit',
    find: (sources) =>
      sources.flatMap(routesIn).flatMap((route) => {
        const { source, text, reads, address } = route
        if (reads || !text.includes("access: 'anyone'") || /\blimits?\b/.test(text)) return []
        const says = `lets anyone send ${address} as often as they like: give its config a limit`
        return breachAt(route, says, `${source.path} ${address}`)
      }),
    file: 'routes',
    wrong: [["app.post('/hats', { config: { access: 'anyone' } })", 'lets anyone send /hats as often as they like']],
    right: ["app.get('/hats', { config: { access: 'anyone' } })"],
  },
  {
    // The clock is read after the first statement, and so after its locks: before that there is no tx.now.
    what: 'an action that reads the clock before its first statement',
    find: (sources) =>
      sources
        .filter(({ path }) => path.endsWith('.actions.ts'))
        .flatMap((source) =>
          [...source.text.matchAll(/^(?:export )?async function (\w+)\([\s\S]*?^\}/gm)].flatMap((action) => {
            const [whole, name] = action
            const [clock, waits] = [whole.search(/\btx\.now\b/), whole.search(/\bawait\b/)]
            if (clock < 0 || waits < clock) return []
            const says = `${name} reads tx.now before it has awaited a statement: move this after the first await`
            return breachAt({ source, index: action.index + clock }, says)
          }),
        ),
    file: 'actions',
    wrong: [
      [
        'async function wear(tx: Tx) {\n  const since = tx.now\n  const hat = await lockHat(tx, {})\n}',
        'wear reads tx.now before it has awaited a statement',
      ],
    ],
    right: ['async function wear(tx: Tx) {\n  const hat = await lockHat(tx, {})\n  const since = tx.now\n}'],
  },
  {
    // The linter sees a promise that is made in the same file; statements come from their store.
    what: 'a statement whose answer nobody waits for',
    find: (sources) => {
      const call = new RegExp(`^\\s+(${statementsOf(sources)})\\(.*\\)$`)
      return sources.filter(notInStores).flatMap((source) => {
        const lines = source.text.split('\n')
        return lines.flatMap((line, at) => {
          const [, name] = call.exec(line) ?? []
          if (!name || GOES_ON.test(lines[at - 1]!.trim())) return []
          const index = lines.slice(0, at).join('\n').length + 1
          return breachAt({ source, index }, `does not wait for ${name}: await it, or declare it by write`)
        })
      })
    },
    file: 'actions',
    wrong: [['function wear() {\n  admitHat(tx, {})\n}', 'does not wait for admitHat']],
    right: [
      '  await admitHat(tx, {})\n  return (tx) =>\n    admitHat(tx, {})',
      '  await tx.inOrder([\n    admitHat(tx, {}),\n  ])',
    ],
  },
  {
    // A list of a hundred rows would ask a hundred times. `test/api/page-costs.test.ts` counts what is hidden in a helper.
    what: 'a statement for each element',
    find: (sources) => {
      const call = new RegExp(`\\b(${statementsOf(sources)})\\(`, 'g')
      return sources.filter(notInStores).flatMap((source) =>
        [...source.text.matchAll(LOOP)].flatMap(({ index, 0: opening }) =>
          [...repeatedPart(source.text, index, opening).matchAll(call)].map(([, name]) => {
            const says = `asks ${name} once for each element: ask once for all, with a statement that takes their ids`
            return breachAt({ source, index }, says, `${source.path} ${name}`)
          }),
        ),
      )
    },
    file: 'actions',
    wrong: [
      'await Promise.all(ids.map((id) => findHat(tx, { id })))',
      'for (const id of ids) {\n  await findHat(tx, { id })\n}',
      'for (const id of ids) await findHat(tx, { id })\n',
    ].map((text) => [text, 'asks findHat once for each element']),
    right: ['for (const hat of await findHat(tx, {})) {\n  wear(hat)\n}'],
  },
  {
    // The second takes another connection, and may wait for rows of the first, which waits for it.
    what: 'a transaction in a transaction',
    find: (sources) =>
      sources.filter(notInStores).flatMap((source) =>
        [...source.text.matchAll(/\btransact\w*\(/g)].flatMap(({ index, 0: opening }) => {
          const open = index + opening.length - 1
          const inside = source.text.slice(open, closingOf(source.text, open))
          if (!/\btransact\w*\(/.test(inside)) return []
          return breachAt(
            { source, index },
            'opens a transaction in which another one is opened: give `tx` to what is called',
          )
        }),
      ),
    file: 'routes',
    wrong: [
      [
        '(req) => req.transact((tx) => req.transact((inner) => wear(inner, tx)))',
        'opens a transaction in which another',
      ],
    ],
    right: ['(req) => req.transact((tx) => wear(tx))\n(req) => req.transact((tx) => wash(tx))'],
  },
  {
    // Only `req.transact` writes the audit row and claims the Idempotency-Key in the commit of the command.
    what: 'a transaction past the request',
    find: (sources) =>
      sources
        .filter(({ path }) => path.endsWith('.routes.ts'))
        .flatMap(({ path, imports }) =>
          imports.flatMap(({ names }) =>
            [...names.matchAll(/\b(transact|openScope|enterTenant)\b/g)].map(([, door]) => ({
              place: `${path} ${door}`,
              says: `${path} imports ${door}, past the audit and the Idempotency-Key of the request: use ${door === 'transact' ? 'req.transact' : 'req.scope'}`,
            })),
          ),
        ),
    file: 'routes',
    wrong: [
      ["import { openScope, z } from '#atrium'", 'imports openScope, past the audit'],
      ["import { transact } from '#atrium'", 'use req.transact'],
    ],
  },
]

/** The callback of a method, or the body of a loop; not the list that is gone through. */
function repeatedPart(text: string, start: number, opening: string): string {
  const open = start + opening.length - 1
  const close = closingOf(text, open)
  if (opening.startsWith('.')) return text.slice(open, close)
  const rest = text.slice(close + 1)
  return /^ \{/.test(rest)
    ? text.slice(close + 2, closingOf(text, close + 2))
    : rest.slice(0, rest.search(/\n {0,4}\S/))
}
