import type { FieldDef } from 'pg'
import type { Row } from './flight.ts'
import { parserOf } from './values.ts'

/** The columns of a statement: what each is called in a row, and how its text is read. */
export type Layout = ReadonlyArray<{ name: string; parse: (text: string) => unknown }>

/** The layout that the server has described. */
export function layoutOf(fields: readonly FieldDef[]): Layout {
  return fields.map(({ name, dataTypeID }) => ({ name: camelCase(name), parse: parserOf(dataTypeID) }))
}

/** One row of the wire as an object. */
export function readRow(layout: Layout, fields: (string | null)[]): Row {
  const row: Row = {}
  for (let at = 0; at < layout.length; at++) {
    const column = layout[at]!
    const text = fields[at]!
    row[column.name] = text === null ? null : column.parse(text)
  }
  return row
}

/** `INSERT 0 3`, `UPDATE 3`, `DELETE 3`: the last word is the count. */
export function affectedBy(tag: string): number {
  return Number(tag.slice(tag.lastIndexOf(' ') + 1)) || 0
}

function camelCase(name: string): string {
  return name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())
}
