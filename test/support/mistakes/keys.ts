import type { Breach } from '../exceptions.ts'
import { readMigrations, splitAtTop } from '../migrations.ts'

/**
 * A column that holds an id points at a row, and only a foreign key keeps that row there and in the same tenant.
 * @param sql the migrations, one after the other
 */
export function findColumnsWithoutKey(sql: string): Breach[] {
  const columns = new Set<string>()
  const keys = new Set<string>()
  const plain = sql.replace(/--.*$/gm, '').replace(/\$(\w*)\$[\s\S]*?\$\1\$/g, "''")
  for (const statement of splitAtTop(plain, ';').map((text) => text.trim())) {
    const [, verb, table, rest] = /^(create|alter) table (?:if not exists )?(\w+)\s+([\s\S]*)/i.exec(statement) ?? []
    if (!table) continue
    const parts = verb!.toLowerCase() === 'alter' ? rest! : rest!.replace(/^\(|\)$/g, '')
    for (const part of splitAtTop(parts, ',').map((text) => text.trim())) {
      const [, column] = /^(?:add column (?:if not exists )?)?(\w+_id)\s+bigint\b(?!.*\bgenerated\b)/is.exec(part) ?? []
      if (column && column !== 'tenant_id') columns.add(`${table}.${column}`)
      if (column && /\breferences\b/i.test(part)) keys.add(`${table}.${column}`)
      const [, foreign] = /\bforeign key \(([^)]*)\)/i.exec(part) ?? []
      for (const key of foreign?.split(',') ?? []) keys.add(`${table}.${key.trim()}`)
      const [, dropped] = /^drop column (?:if exists )?(\w+)/i.exec(part) ?? []
      if (dropped) columns.delete(`${table}.${dropped}`)
    }
  }
  return [...columns]
    .filter((column) => !keys.has(column))
    .map((place) => ({
      place,
      says: `${place} has no foreign key: add foreign key (tenant_id, ${place.split('.')[1]}) references … (tenant_id, id)`,
    }))
}

/**
 * A foreign key to a table of tenants that leaves the tenant out: a row of another one would do.
 * @param sql as above
 */
export function findKeysWithoutTenant(sql: string): Breach[] {
  const { tables } = readMigrations(sql)
  const keys = /\bforeign key \(([^)]*)\)\s+references (\w+)|(\w+) bigint\b[^,]*?\breferences (\w+)/gi
  return sql
    .replace(/--.*$/gm, '')
    .split(';')
    .flatMap((statement) => {
      const [, table] = /\b(?:create|alter) table (?:if not exists |only )?(\w+)/i.exec(statement) ?? []
      return [...statement.matchAll(keys)]
        .map(([, columns, to, column, other]) => ({ columns: (columns ?? column)!, to: (to ?? other)! }))
        .filter(({ columns, to }) => !/\btenant_id\b/.test(columns) && tables.get(to)?.includes('tenant_id'))
        .map(({ columns, to }) => ({
          place: `${table}.${columns}`,
          says: `${table}.${columns} refers to ${to} without the tenant, so that another tenant's row would do: foreign key (tenant_id, ${columns}) references ${to} (tenant_id, id)`,
        }))
    })
}
