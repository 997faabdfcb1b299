import type { SelectQueryBuilder } from 'kysely'
import { assertShallow, type Listing, type Window } from '../kernel/page.ts'
import type { Scope } from './scope.ts'
import { directory, type From, type FromShared, list } from './statement.ts'

type Builder<O> = SelectQueryBuilder<any, any, O>
type Windowed<P> = P & { limit: number; offset?: number; before?: number; counted?: true }

/**
 * A list that is read by windows: page and total are one statement, and one row more than the page tells whether more
 * follow. The order is the id's, which is the order of creation; `newest` first, or `oldest` first for conversations
 * (where `before` gives the last rows before that id, still ascending). An order of the builder's own comes before it.
 */
export function windows<P extends object, O extends object>(
  build: (from: From, p: P) => Builder<O>,
  idColumn: string,
  first: 'newest' | 'oldest' = 'newest',
): Windows<P, O> {
  return windowed(list, build, idColumn, first)
}

/** The same over the shared tables. */
export function sharedWindows<P extends object, O extends object>(
  build: (from: FromShared, p: P) => Builder<O>,
  idColumn: string,
): Windows<P, O> {
  return windowed(directory.list as never, build as never, idColumn, 'newest')
}

type Windows<P, O> = (scope: Scope, params: P, window: Window) => Promise<Listing<O>>

function windowed<P extends object, O extends object>(
  verb: typeof list,
  build: (from: From, p: P) => Builder<O>,
  idColumn: string,
  first: 'newest' | 'oldest',
): Windows<P, O> {
  const rowsOf = verb<Windowed<P>, O & { total?: number }>((from, p) => {
    const all = build(from, p) as Builder<any>
    const backwards = first === 'newest' || p.before !== undefined
    let query = all.orderBy(idColumn, backwards ? 'desc' : 'asc').limit(p.limit)
    if (p.before !== undefined) query = query.where(idColumn, '<', p.before)
    if (p.offset !== undefined) query = query.offset(p.offset)
    if (p.counted !== undefined) query = query.select(() => countOf(all).as('total'))
    return query
  })
  const total = verb<P, { total: number }>((from, p) => countOf(build(from, p) as Builder<any>))

  return async (scope, params, window) => {
    assertShallow(window)
    const found = await rowsOf(scope, { ...params, ...sent(window) })
    const more = found.length > window.limit
    const rows = more ? found.slice(0, window.limit) : found
    const counted = !window.counted
      ? undefined
      : found[0]
        ? found[0].total!
        : window.offset === 0
          ? 0
          : (await total(scope, params))[0]!.total
    if (first === 'oldest' && window.before) rows.reverse()
    return { rows, total: counted, more, window }
  }
}

function sent(window: Window) {
  return {
    limit: window.limit + 1,
    ...(window.offset > 0 && { offset: window.offset }),
    ...(window.before && { before: window.before }),
    ...(window.counted && { counted: true as const }),
  }
}

function countOf(all: Builder<any>): Builder<{ total: number }> {
  return all
    .clearSelect()
    .clearOrderBy()
    .select((eb) => eb.fn.countAll<number>().as('total'))
}
