import { type Children, html, type View } from '../lib/html.ts'
import { t } from '../lib/language.ts'
import type { Rows } from '../lib/load.ts'
import { Show } from './page.ts'

export interface Column<Row> {
  title: string
  /** what stands in the cell */
  of(row: Row): Children
  /** numbers stand on the right */
  isNumber?: boolean
}

/** Rows as a table; on a narrow screen each row becomes a block with the titles beside the values. */
export function Table<Row>({ rows, columns, keyOf, caption }: TableOptions<Row>): View {
  return html`<table>
    <caption class="hidden">${caption}</caption>
    <thead>
      <tr>${columns.map(({ title, isNumber }) => html`<th scope="col" class=${isNumber ? 'number' : ''}>${title}</th>`)}</tr>
    </thead>
    <tbody>
      ${rows.map(
        (row) => html`<tr key=${keyOf(row)}>
          ${columns.map(
            ({ title, of, isNumber }) =>
              html`<td data-title=${title} class=${isNumber ? 'number' : ''}><div>${of(row)}</div></td>`,
          )}
        </tr>`,
      )}
    </tbody>
  </table>`
}
interface TableOptions<Row> {
  rows: readonly Row[]
  columns: readonly Column<Row>[]
  keyOf(row: Row): string | number
  /** what the table is, for those who do not see it */
  caption: string
}

/** A list that may go on: its rows, or what to do while there are none, and a button for more. */
export function List<Row>({
  of,
  empty,
  ...table
}: Omit<TableOptions<Row>, 'rows'> & { of: Rows<Row>; empty: Children }): View {
  return html`<${Show} of=${of}>
    ${(rows: Row[]) => html`
      ${rows.length ? html`<${Table} rows=${rows} ...${table} />` : empty}
      ${of.more && html`<p><button type="button" onClick=${of.more}>${t('Show more')}</button></p>`}
    `}
  <//>`
}
