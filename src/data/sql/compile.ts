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
import { type Call, type Intent, type Prepared, type Traits, UNNAMED } from '../wire/flight.ts'
import { assertOnlyReads } from './assert-only-reads.ts'
import { assertPortable } from './assert-portable.ts'
import { changesShared, guard } from './guard.ts'
import { noticingLent } from './lend.ts'
import type { DB } from './schema.ts'

/**
 * Kysely builds and sends unnamed statements each time, which costs more than half the throughput. So a statement is
 * built once for each shape of its parameters, with placeholders instead of values; the compiled text and the order of
 * the placeholders are kept, and a call only binds.
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

/** Represents in a builder the value that a later call passes. */
export class Placeholder {
  readonly name: string
  constructor(name: string) {
    this.name = name
  }
}

/** The tenant's placeholder in a statement; only the scope fills it. */
export const TENANT = new Placeholder('tenant')

type Params = Record<string, unknown>
interface Shape {
  readonly prepared: Prepared
  readonly sources: ReadonlyArray<Placeholder | { constant: unknown }>
}

/** Optional filters make one shape for each combination that occurs. Of more than this, each is built for its one call. */
const MOST_SHAPES = 128

/** Applies always, or if the statement is called with one of these parameters. */
type When<P> = boolean | readonly (keyof P)[]
/** What a statement says about itself. */
export type StatementTraits<P> = Omit<Traits, 'costly' | 'large' | 'changesShared'> & {
  costly?: When<P>
  large?: When<P>
}

/**
 * Declares a statement. `intent` is what its verb promises; `build` is called once for each shape that is kept, with
 * placeholders instead of the parameters that are present; the result binds values: `(tenantId, params) → Call`.
 */
export function compile<P extends object>(
  intent: Intent,
  build: (p: P) => Compilable,
  traits: StatementTraits<P> = {},
): (tenantId: number | undefined, params: P) => Call {
  const shapes = new Map<string, Shape>()
  return (tenantId, params) => {
    const key = shapeOf(params as Params)
    let shape = shapes.get(key)
    if (!shape) {
      const isKept = shapes.size < MOST_SHAPES
      shape = newShape(intent, key.split(' ').filter(Boolean), build as (p: Params) => Compilable, traits, isKept)
      if (isKept) shapes.set(key, shape)
    }
    return { prepared: shape.prepared, values: bind(shape, tenantId, params as Params) }
  }
}

function shapeOf(params: Params): string {
  let key = ''
  for (const name in params) if (params[name] !== undefined) key += `${name} `
  return key
}

function newShape(
  intent: Intent,
  names: readonly string[],
  build: (p: Params) => Compilable,
  { costly, large, ...traits }: StatementTraits<any>,
  isKept: boolean,
): Shape {
  const placeholders = Object.fromEntries(names.map((name) => [name, new Placeholder(name)]))
  const { built, lent } = noticingLent(() => build(placeholders).compile())
  const { sql, parameters, query } = built
  guard(query, sql)
  assertPortable(query, sql)
  if (intent === 'read') assertOnlyReads(query, sql)
  const prepared: Prepared = {
    name: isKept ? createHash('sha256').update(sql).digest('base64url').slice(0, 16) : UNNAMED,
    text: sql,
    intent,
    ...traits,
    costly: holds(costly, names),
    large: holds(large, names),
    changesShared: intent !== 'read' && changesShared(query),
    lent,
  }
  return {
    prepared,
    sources: parameters.map((value) => (value instanceof Placeholder ? value : { constant: value })),
  }
}

function holds(when: When<any> = false, names: readonly string[]): boolean {
  return typeof when === 'boolean' ? when : when.some((name) => names.includes(name as string))
}

function bind(shape: Shape, tenantId: number | undefined, params: Params): unknown[] {
  const values = new Array(shape.sources.length)
  for (let at = 0; at < values.length; at++) {
    const source = shape.sources[at]!
    values[at] = source === TENANT ? tenantId : source instanceof Placeholder ? params[source.name] : source.constant
  }
  return values
}
