import type { OperationNode } from 'kysely'
import { type Node, nodesIn } from './nodes.ts'
import { SHARED_TABLES } from './schema.ts'

/**
 * The second check of every statement, when it is built: each protected table must carry the tenant in the WHERE or ON
 * of the query that names it, either as the scope's own or as equal to another table's of the same query that does: a
 * tenant that only comes from the query around it would send a subquery to every shard. It costs nothing later, so it is
 * always on. Row security is the next wall; this one shows the developer the statement before anything
 * runs.
 *
 * @throws Error naming the table and the statement
 */
export function guard(query: OperationNode, sql: string): void {
  inspect(query as unknown as Node, new Set(), sql)
}

/**
 * Checks one query, then the queries inside it.
 * @param expressions names of common table expressions, which are checked where they are defined
 */
function inspect(query: Node, expressions: Set<string>, sql: string): void {
  const known = new Set(expressions)
  for (const { name, expression } of query.with?.expressions ?? []) {
    inspect(expression, known, sql)
    known.add(tableName(name.table))
  }
  const touched = tablesOf(query)
  const carried = carriers(query)
  for (const { table, name } of touched)
    if (!SHARED_TABLES.has(table) && !known.has(table) && !carried.has(name))
      throw new Error(`The statement touches ${name} without its tenant: ${sql}`)
  const { with: _, ...parts } = query
  for (const inner of queriesIn(parts)) inspect(inner, known, sql)
}

/**
 * Whether a statement that locks or changes rows does so in a table that all tenants share. Of `invalidations` every
 * server has its own.
 */
export function changesShared(query: OperationNode): boolean {
  return tablesOf(query as unknown as Node).some(({ table }) => SHARED_TABLES.has(table) && table !== 'invalidations')
}

interface Touched {
  table: string
  /** its name in the query */
  name: string
}

/** The tables that a query names itself, in FROM, USING and JOIN, or as the target of a change. */
function tablesOf(query: Node): Touched[] {
  const named: (Node | undefined)[] = [
    query.table,
    query.into,
    ...(query.from?.froms ?? []),
    ...(query.using?.tables ?? []),
    ...(query.joins ?? []).map((join: Node) => join.table),
  ]
  return named.flatMap((node) => {
    if (node?.kind === 'TableNode') return [{ table: tableName(node), name: tableName(node) }]
    if (node?.kind === 'AliasNode' && node.node.kind === 'TableNode')
      return [{ table: tableName(node.node), name: node.alias.name }]
    return []
  })
}

/** The names whose tenant_id is stamped, equals a value, or equals the tenant_id of a name that carries it. */
function carriers(query: Node): Set<string> {
  const carried = new Set<string>()
  if (query.columns?.some((column: Node) => column.column.name === 'tenant_id')) carried.add(tableName(query.into))
  const conditions = [query.where?.where, ...(query.joins ?? []).map((join: Node) => join.on?.on)].flatMap(conjuncts)
  for (let before = -1; before !== carried.size; ) {
    before = carried.size
    for (const { leftOperand, rightOperand } of conditions) {
      const [left, right] = [tenantOf(leftOperand), tenantOf(rightOperand)]
      if (left && (rightOperand.kind === 'ValueNode' || (right && carried.has(right)))) carried.add(left)
      if (right && left && carried.has(left)) carried.add(right)
    }
  }
  return carried
}

/** The equalities that must all hold: what is beside an OR or under a NOT does not count. */
function conjuncts(condition: Node | undefined): Node[] {
  if (condition?.kind === 'ParensNode') return conjuncts(condition.node)
  if (condition?.kind === 'AndNode') return [...conjuncts(condition.left), ...conjuncts(condition.right)]
  return condition?.kind === 'BinaryOperationNode' && condition.operator.operator === '=' ? [condition] : []
}

/** `tasks.tenant_id` → tasks */
function tenantOf(operand: Node): string | undefined {
  if (operand.kind !== 'ReferenceNode' || operand.column.column?.name !== 'tenant_id') return undefined
  return operand.table && tableName(operand.table)
}

const QUERIES = new Set(['SelectQueryNode', 'InsertQueryNode', 'UpdateQueryNode', 'DeleteQueryNode'])

/** The outermost queries inside some parts of a query. */
function queriesIn(parts: object): Node[] {
  return nodesIn(parts).flatMap((node) => (QUERIES.has(node.kind) ? [node] : queriesIn(node)))
}

function tableName(node: Node): string {
  const table = node.kind === 'TableNode' ? node.table : node
  return table.identifier?.name ?? table.name
}
