import type { WholeList } from '../extension.ts'
import { type Children, html, useState, type View } from '../lib/html.ts'
import { numberText, t } from '../lib/language.ts'
import type { Rows } from '../lib/load.ts'
import { place, setQuery } from '../lib/router.ts'
import { Empty, Show, Slot } from './page.ts'
import { type Deed, Deeds } from './several.ts'

export interface Column<Row> {
  title: string
  /** what stands in the cell */
  of(row: Row): Children
  /** numbers stand on the right */
  isNumber?: boolean
  /** times stand in one line */
  isTime?: boolean
  /** the API sorts by this field: the title then does, by `?sort=` in the address */
  sort?: string
}

interface TableOptions<Row> {
  rows: readonly Row[]
  columns: readonly Column<NoInfer<Row>>[]
  /** what tells a row from others; by default its `id` */
  keyOf?(row: NoInfer<Row>): string | number
  /** what the table is, for those who do not see it */
  caption: string
}

const idOf = (row: any): string | number => row.id

/** Rows as a table; on a narrow screen each row becomes a block with the titles beside the values. */
export function table<Row>({ rows, columns, keyOf = idOf, caption }: TableOptions<Row>): View {
  return html`<table>
    <caption class="hidden">${caption}</caption>
    <thead>
      <tr>${columns.map((column) => html`<${Head} key=${column.title} of=${column} />`)}</tr>
    </thead>
    <tbody>
      ${rows.map(
        (row) => html`<tr key=${keyOf(row)}>
          ${columns.map(
            ({ title, of, isNumber, isTime }) =>
              html`<td data-title=${title} class=${isNumber ? 'number' : isTime ? 'one-line' : ''}><div>${of(row)}</div></td>`,
          )}
        </tr>`,
      )}
    </tbody>
  </table>`
}

const ORDERS = { up: ['ascending', '↑'], down: ['descending', '↓'] } as const

function Head({ of: { title, isNumber, sort } }: { of: Column<any> }): View {
  const sorted = place.use().query.get('sort')
  const order = sorted === sort ? ORDERS.up : sorted === `-${sort}` ? ORDERS.down : undefined
  const next = order === ORDERS.up ? `-${sort}` : order ? undefined : sort
  return html`<th scope="col" class=${isNumber ? 'number' : ''} aria-sort=${sort && order?.[0]}>
    ${sort ? html`<button type="button" class="link" onClick=${() => setQuery({ sort: next })}>${title} ${order?.[1] ?? ''}</button>` : title}
  </th>`
}

interface ListOptions<Row> extends Omit<TableOptions<Row>, 'rows'> {
  of: Rows<Row>
  /** what to say while there are no rows, and perhaps to offer */
  empty: Children
  /** what can be done to several rows */
  deeds?: readonly Deed<NoInfer<Row>>[]
  /** what a row is called, where rows can be chosen */
  nameOf?(row: NoInfer<Row>): string
  /** the list of the API that is shown a part of */
  whole?: WholeList
}

/** A list that may go on: its rows and their count, or what to do while there are none, and a button for more. */
export const list = <Row>(options: ListOptions<Row>): View => html`<${List} ...${options} />`

function List<Row>({ of, empty, deeds = [], nameOf, whole, ...shown }: ListOptions<Row>): View {
  const [chosen, choose] = useState<ReadonlySet<string | number>>(new Set())
  const { keyOf = idOf, columns } = shown
  const set = (row: Row, isChosen: boolean) =>
    choose((before) => new Set(isChosen ? [...before, keyOf(row)] : [...before].filter((key) => key !== keyOf(row))))
  const box: Column<Row> = {
    title: t('Choose'),
    of: (row) =>
      html`<input type="checkbox" aria-label=${t('Choose row {name}', { name: nameOf!(row) })} checked=${chosen.has(keyOf(row))} onChange=${(event: Event) => set(row, (event.target as HTMLInputElement).checked)} />`,
  }
  return html`<${Show} of=${of}>${(rows: Row[]) => {
    const some = rows.filter((row) => chosen.has(keyOf(row)))
    const count = numberText(rows.length)
    if (rows.length === 0) return typeof empty === 'string' ? html`<${Empty}><p>${empty}</p><//>` : empty
    return html`
      ${table({ ...shown, rows, columns: deeds.length ? [box, ...columns] : columns })}
      <p class="quiet" role="status">${of.more ? t('The first {count}', { count }) : t('{count} in all', { count })}</p>
      ${of.more && html`<p><button type="button" onClick=${of.more}>${t('Show more')}</button></p>`}
      ${whole && html`<${Slot} name="list" ...${whole} />`}
      ${some.length > 0 && html`<${Deeds} rows=${some} deeds=${deeds} done=${(row: Row) => set(row, false)} then=${of.again} />`}
    `
  }}<//>`
}
