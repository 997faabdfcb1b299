import type { OperationNode } from 'kysely'
import { SHARED_TABLES } from './schema.ts'

/**
 * The second look at every statement, when it is built: each protected table it touches must carry the tenant in its
 * WHERE or ON, either as the scope's own or as equal to another table's. It costs nothing later, so it is always on.
 * Row security stands behind it; this one tells the developer, with the statement, before anything runs.
 */
export function guard(query: OperationNode, sql: string): void {
  const found: Findings = { tables: [], tenants: new Set(), expressions: new Set() }
  visit(query as unknown as Node, found)
  for (const { table, name } of found.tables) {
    if (SHARED_TABLES.has(table) || found.expressions.has(table) || found.tenants.has(name)) continue
    throw new Error(`The statement touches ${name} without its tenant: ${sql}`)
  }
}

type Node = { kind: string } & Record<string, any>
interface Findings {
  /** every table with the name it goes by in the statement */
  tables: { table: string; name: string }[]
  /** names whose tenant_id is compared with something, or stamped by an insert */
  tenants: Set<string>
  /** names of common table expressions, which were looked at where they are defined */
  expressions: Set<string>
}

function visit(node: Node, found: Findings): void {
  if (node.kind === 'AliasNode' && node.node?.kind === 'TableNode') {
    found.tables.push({ table: tableName(node.node), name: node.alias.name })
    return
  }
  if (node.kind === 'ReferenceNode' || node.kind === 'ReturningNode') return
  if (node.kind === 'CommonTableExpressionNode') {
    found.expressions.add(tableName(node.name.table))
    visit(node.expression, found)
    return
  }
  if (node.kind === 'TableNode') {
    const name = tableName(node)
    found.tables.push({ table: name, name })
    return
  }
  if (node.kind === 'BinaryOperationNode' && node.operator?.operator === '=') noteTenant(node, found)
  if (node.kind === 'InsertQueryNode' && node.columns?.some((column: Node) => column.column.name === 'tenant_id'))
    found.tenants.add(tableName(node.into))
  for (const value of Object.values(node)) visitAll(value, found)
}

function visitAll(value: unknown, found: Findings): void {
  if (Array.isArray(value)) for (const item of value) visitAll(item, found)
  else if (value && typeof value === 'object' && 'kind' in value) visit(value as Node, found)
}

/** `x.tenant_id = …`: x is covered; when the other side is y.tenant_id, so is y. */
function noteTenant(node: Node, found: Findings): void {
  for (const side of [node.leftOperand, node.rightOperand] as Node[]) {
    if (side?.kind !== 'ReferenceNode' || side.column?.column?.name !== 'tenant_id') continue
    if (side.table) found.tenants.add(tableName(side.table))
  }
}

function tableName(node: Node): string {
  const table = node.kind === 'TableNode' ? node.table : node
  return table.identifier?.name ?? table.name
}
