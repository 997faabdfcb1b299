import { everyNode, type Node, nodesIn } from './nodes.ts'

/**
 * Refuses, when it is built, a statement that PostgreSQL runs and Citus does not, so that no cluster is needed to keep
 * every statement one task on one shard. Citus evaluates what a change computes before it sends the change to the shard,
 * so the change itself may name no volatile function; its planner pushes down no INSERT … SELECT with drawn defaults, and
 * rows that a statement moves to another table are copied to every node, also to one that hangs.
 *
 * @throws Error naming what to write instead, and the statement
 */
export function assertPortable(query: unknown, sql: string): void {
  inspect(query as Node, sql)
}

const VOLATILE =
  /\b(clock_timestamp|timeofday|random|gen_random_uuid|nextval|setval|set_config|pg_\w*advisory\w*)\s*\(/i
const NOT_IMMUTABLE = new RegExp(
  `${VOLATILE.source}|\\b(now|statement_timestamp|transaction_timestamp|current_setting)\\s*\\(|\\bcurrent_(date|time)`,
  'i',
)
/** The sum of a time and something of a column is as stable as the time zone, and Citus computes such sums beforehand. */
const SUM_WITH_COLUMN = /\b(?:now|statement_timestamp|transaction_timestamp)\s*\(\)\s*[-+]\s*[a-z_]+\.[a-z_]+/i
const CHOICE = /\b(coalesce\s*\(|case\b)[\s\S]*/i

function inspect(node: Node, sql: string): void {
  if (node.kind === 'UpdateQueryNode' || node.kind === 'DeleteQueryNode') {
    const found = VOLATILE.exec(rawSqlIn(node))
    if (found)
      refuse(`changes rows by ${found[0]}…), which is volatile: use statement_timestamp(), or a parameter`, sql)
    if (node.returning && NOT_IMMUTABLE.test(rawSqlIn(node.returning)))
      refuse('returns what is not immutable: select it in a statement of its own', sql)
    const sum = SUM_WITH_COLUMN.exec(rawSqlIn(node))
    if (sum) refuse(`adds a column to a time (${sum[0]}): use to_timestamp(date_part('epoch', …) + …)`, sql)
    const choice = CHOICE.exec(rawSqlIn({ ...node, returning: undefined }))
    if (choice && NOT_IMMUTABLE.test(choice[0]))
      refuse('chooses by COALESCE or CASE with what is not immutable: use a condition, or least()', sql)
  }
  if (node.kind === 'InsertQueryNode') inspectInsert(node, sql)
  for (const inner of nodesIn(node)) inspect(inner, sql)
}

function inspectInsert({ onConflict, values }: Node, sql: string): void {
  const found = onConflict && NOT_IMMUTABLE.exec(rawSqlIn(onConflict))
  if (found) refuse(`has ${found[0]} in ON CONFLICT, which is not immutable: compare with excluded.…`, sql)
  if (values?.kind === 'ValuesNode' && hasQuery(values))
    refuse('reads rows in VALUES: read them in a statement of its own, and pass the value', sql)
  if (values?.kind === 'SelectQueryNode')
    refuse('inserts rows that it selects: pass the values, many of them as unnest($1) in VALUES', sql)
}

function hasQuery(node: Node): boolean {
  return everyNode(node).some(({ kind }) => kind === 'SelectQueryNode')
}

function rawSqlIn(node: Node): string {
  return everyNode(node)
    .map(({ kind, sqlFragments }) => (kind === 'RawNode' ? sqlFragments.join('?') : ''))
    .join(' ')
}

function refuse(what: string, sql: string): never {
  throw new Error(`The statement ${what}. Citus would refuse it: ${sql}`)
}
