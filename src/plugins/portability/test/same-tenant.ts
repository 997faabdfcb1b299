import type { Table } from '#atrium'
import { OTHER_TABLES, targetOf } from '../archive/insert-rows.ts'
import type { ReadArchive } from './archive.ts'

/** What an id that leads to no row of the archive becomes. */
const NOBODY = 'nobody'

/**
 * The rows of an archive without the choice of ids: each id, wherever it stands, is the place of its row in its table. Two
 * archives of tenants that are equal but for ids give the same.
 */
export function withoutIds(archive: ReadArchive, tables: readonly Table[]): Record<string, unknown[]> {
  const byName = new Map(tables.map((table) => [table.name, table]))
  const places = new Map(
    tables.map(({ name, drawsIds }) => [
      name,
      new Map(
        drawsIds && archive.manifest.rows[name] ? archive.rows(name).map(({ id }, at) => [id as number, at]) : [],
      ),
    ]),
  )
  const placeOf = (table: string, id: any) =>
    id === null ? null : byName.get(table)?.drawsIds !== false ? (places.get(table)?.get(Number(id)) ?? NOBODY) : id
  const ofTenants = tables.filter((table) => table.ofTenants)
  return Object.fromEntries(
    ofTenants.map((table) => [
      table.name,
      archive
        .rows(table.name)
        .map((row) => strip(table, row))
        .sort(byText),
    ]),
  )

  function strip(table: Table, row: Record<string, any>) {
    return Object.fromEntries(
      Object.entries(row).map(([column, value]) => [column, valueIn(table, row, column, value)]),
    )
  }

  function valueIn(table: Table, row: Record<string, any>, column: string, value: any): unknown {
    const soft = table.facts.references?.[column]
    if (column === 'tenant_id') return 'tenant'
    if (column === 'id') return placeOf(table.name, value)
    if (typeof soft === 'string')
      return Array.isArray(value) ? value.map((it) => placeOf(soft, it)) : placeOf(soft, value)
    if (soft && 'by' in soft) return placeOf(OTHER_TABLES[row[soft.by]] ?? `${row[soft.by]}s`, value)
    if (soft && 'upTo' in soft) return 'a position'
    if (soft && 'text' in soft) return /^\d+$/.test((value ?? '').replace('\u0001', '')) ? 'an id or a number' : value
    const target = targetOf(byName, table, column)
    if (target) return byName.get(target)!.ofTenants ? placeOf(target, value) : 'shared'
    return JSON.parse(
      JSON.stringify(value).replaceAll(new RegExp(`\\b${archive.manifest.tenant.id}/(?=[0-9a-f]{32}\\.)`, 'g'), ''),
    )
  }
}

const byText = (one: unknown, other: unknown) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1)
