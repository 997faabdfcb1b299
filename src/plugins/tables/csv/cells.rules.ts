import { stringify } from 'csv-stringify/sync'

/**
 * What spreadsheets take for the beginning of a formula, also behind apostrophes that protect another one.
 * @see https://owasp.org/www-community/attacks/CSV_Injection
 */
const FORMULA = /^'*[=+\-@\t\r\n＝＋－＠]/
const NUMBER = /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i
/** What must stand in quotes for readers that take other signs for the end of a cell or a line. */
const QUOTED = [/[\r\n\t;]/, /^\s/, /\s$/]

/** The line that names the columns, without its end. */
export function headerOf(fields: readonly string[]): string {
  return linesOf([Object.fromEntries(fields.map((field) => [field, field]))], fields)
}

/** The lines of some rows as RFC 4180 has them, without the end of the last one. */
export function linesOf(rows: readonly Record<string, unknown>[], fields: readonly string[]): string {
  const cells = rows.map((row) => fields.map((field) => cellOf(row[field])))
  return stringify(cells, { record_delimiter: '\r\n', eof: false, quoted_match: QUOTED })
}

/** What a value is in a cell: text that no spreadsheet runs. */
export function cellOf(value: unknown): string {
  const text = textOf(value)
  return FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text
}

/** The value that such a cell stands for. */
export function valueIn(cell: string): string {
  return cell.startsWith("'") && FORMULA.test(cell.slice(1)) ? cell.slice(1) : cell
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (Array.isArray(value)) return value.map(textOf).join('; ')
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/** The name under which a browser saves a table: the list, and the day on the clocks of the tenant. */
export function fileName(list: string, takenAt: string, timeZone: string): string {
  const day = new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' }).format(Date.parse(takenAt))
  return `${list}-${day}.csv`
}
