import { createHash } from 'node:crypto'
import {
  CamelCasePlugin,
  type Compilable,
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
} from 'kysely'
import type { Call, Intent, Prepared } from '../wire/flight.ts'
import { assertOnlyReads } from './assert-only-reads.ts'
import { guard } from './guard.ts'
import type { DB } from './schema.ts'
import { noticingViews } from './view.ts'

/**
 * Kysely builds and sends unnamed statements each time, which costs more than half the throughput. So a statement is
 * built once for each shape of its parameters: while it is built, the parameters are placeholders that stand for
 * themselves; the compiled text and the order of the placeholders are kept, and a call only binds.
 */
export const cold = new Kysely<DB>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
  plugins: [new CamelCasePlugin()],
})

/** Stands in a builder for the value that a later call brings. */
export class Placeholder {
  readonly name: string
  constructor(name: string) {
    this.name = name
  }
}

/** The tenant's place in a statement; the scope fills it, never a caller. */
export const TENANT = new Placeholder('tenant')

type Params = Record<string, unknown>
interface Shape {
  readonly prepared: Prepared
  readonly sources: ReadonlyArray<Placeholder | { constant: unknown }>
}

/** Filters that are optional make one shape for each set of them that occurs. More than this is a mistake. */
const MOST_SHAPES = 128
/** A parameter of this name is looked for in every row of a list: no index serves it, so its statement is a costly one. */
const SEARCHED = 'pattern'
/** A parameter of this name is said of a window that may bring many rows with long texts. */
const LARGE = 'large'
const built = new Set<string>()

const throughViews = new WeakMap<Prepared, ReadonlySet<string>>()

/** The tables, by their names in the generated schema, that a statement reads through the views of their owners. */
export function viewedBy(prepared: Prepared): ReadonlySet<string> {
  return throughViews.get(prepared) ?? new Set()
}

/** SQL of every shape built so far, for the snapshot that is read in review. */
export function compiledStatements(): string[] {
  return [...built].sort()
}

/**
 * Declares a statement. `intent` is what its verb promises; `build` is called once for each shape with placeholders in place of the parameters that are
 * present; the result binds values: `(tenantId, params) → Call`.
 */
export function compile<P extends object>(
  intent: Intent,
  build: (p: P) => Compilable,
): (tenantId: number | undefined, params: P) => Call {
  const shapes = new Map<string, Shape>()
  return (tenantId, params) => {
    const key = shapeOf(params as Params)
    const shape = shapes.get(key) ?? addShape(intent, shapes, key, build as (p: object) => Compilable)
    return { prepared: shape.prepared, values: bind(shape, tenantId, params as Params) }
  }
}

function shapeOf(params: Params): string {
  let key = ''
  for (const name in params) if (params[name] !== undefined) key += `${name} `
  return key
}

function addShape(intent: Intent, shapes: Map<string, Shape>, key: string, build: (p: object) => Compilable): Shape {
  if (shapes.size === MOST_SHAPES) throw new Error(`A statement has more than ${MOST_SHAPES} shapes: ${key}`)
  const placeholders: Params = {}
  for (const name of key.split(' ')) if (name) placeholders[name] = new Placeholder(name)
  const { built: statement, viewed } = noticingViews(() => build(placeholders).compile())
  const { sql, parameters, query } = statement
  guard(query, sql)
  if (intent === 'read' || intent === 'peek') assertOnlyReads(query, sql)
  built.add(sql)
  const shape: Shape = {
    prepared: {
      name: createHash('sha256').update(sql).digest('base64url').slice(0, 16),
      text: sql,
      intent,
      costly: SEARCHED in placeholders,
      large: LARGE in placeholders,
    },
    sources: parameters.map((value) => (value instanceof Placeholder ? value : { constant: value })),
  }
  throughViews.set(shape.prepared, viewed)
  shapes.set(key, shape)
  return shape
}

function bind(shape: Shape, tenantId: number | undefined, params: Params): unknown[] {
  const values = new Array(shape.sources.length)
  for (let at = 0; at < values.length; at++) {
    const source = shape.sources[at]!
    values[at] = source === TENANT ? tenantId : source instanceof Placeholder ? params[source.name] : source.constant
  }
  return values
}
