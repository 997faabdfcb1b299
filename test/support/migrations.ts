export interface Schema {
  /** columns by table */
  tables: Map<string, string[]>
  isProtected: Set<string>
}

/** What plain DDL makes of a database, as far as tables, columns and `protect` go; whatever else it says is passed over. */
export function readMigrations(sql: string): Schema {
  const tables = new Map<string, string[]>()
  const isProtected = new Set<string>()
  const plain = sql.replace(/--.*$/gm, '').replace(/\$(\w*)\$[\s\S]*?\$\1\$/g, "''")
  for (const statement of splitAtTop(plain, ';').map((text) => text.trim())) {
    const [, made, body] = /^create table (?:if not exists )?(\w+) \(([\s\S]*)\)/i.exec(statement) ?? []
    if (made) tables.set(made, splitAtTop(body!, ',').flatMap(columnOf))
    const [, altered, changes] = /^alter table (\w+)\s([\s\S]*)/i.exec(statement) ?? []
    if (altered) for (const change of splitAtTop(changes!, ',')) alter(tables.get(altered) ?? [], change.trim())
    const [, dropped] = /^drop table (?:if exists )?(\w+)/i.exec(statement) ?? []
    if (dropped) tables.delete(dropped)
    for (const [, name] of statement.matchAll(/\bprotect\('(\w+)'/gi)) isProtected.add(name!)
  }
  return { tables, isProtected }
}

const NO_COLUMN = /^(primary|foreign|unique|constraint|check|exclude)\b/i

function columnOf(definition: string): string[] {
  const text = definition.trim()
  return NO_COLUMN.test(text) ? [] : [/^"?(\w+)/.exec(text)![1]!]
}

function alter(columns: string[], change: string): void {
  const [, added] = /^add column (?:if not exists )?(\w+)/i.exec(change) ?? []
  if (added) columns.push(added)
  const [, dropped] = /^drop column (?:if exists )?(\w+)/i.exec(change) ?? []
  if (dropped) columns.splice(columns.indexOf(dropped), 1)
  const [, from, to] = /^rename (?!constraint)(?:column )?(\w+) to (\w+)/i.exec(change) ?? []
  if (from) columns.splice(columns.indexOf(from), 1, to!)
}

/** Splits where the separator stands outside of parentheses and texts. */
export function splitAtTop(text: string, separator: string): string[] {
  const parts = ['']
  let depth = 0
  let quoted = false
  for (const letter of text) {
    if (letter === "'") quoted = !quoted
    else if (!quoted && letter === '(') depth++
    else if (!quoted && letter === ')') depth--
    if (letter === separator && depth === 0 && !quoted) parts.push('')
    else parts[parts.length - 1] += letter
  }
  return parts.filter((part) => part.trim())
}
