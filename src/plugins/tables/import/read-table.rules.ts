import { isUtf8 } from 'node:buffer'
import { CsvError, parse } from 'csv-parse/sync'
import { type Sentence, violationsOf, type z } from '#atrium'
import { valueIn } from '../csv/cells.rules.ts'

export const MOST_ROWS = 5000
export const MOST_ERRORS = 100
/** Hashing one takes long enough to be noticed. */
export const MOST_PASSWORDS = 200

/** What is wrong with a table: in which row, as spreadsheets number them, and in which column, if it is one of them. */
export interface Mistake {
  row: number
  column: string | null
  message: Sentence
  [fact: string]: unknown
}

export type Drafts<Shape extends z.ZodType> = ReadTable<z.output<Shape>>['drafts']

export interface ReadTable<Draft> {
  /** how many rows it has under its header */
  rows: number
  /** the columns that mean nothing here */
  ignored: string[]
  /** what each sound row says, with its number */
  drafts: { row: number; draft: Draft }[]
  mistakes: Mistake[]
}

/** Columns whose cells are no text for spreadsheets: each sign counts. */
const AS_IT_IS = new Set(['password'])

const HEADER = 1

/**
 * Reads a table of comma- or semicolon-separated values. An empty cell says nothing. Texts that were written for
 * spreadsheets lose the apostrophe again.
 * @param Draft says which columns there are, and what may stand in them
 */
export function readTable<Shape extends z.ZodObject>(bytes: Buffer, Draft: Shape): ReadTable<z.output<Shape>> {
  const none = { rows: 0, ignored: [], drafts: [] }
  if (!isUtf8(bytes)) return { ...none, mistakes: [ofTable('The table is not valid text')] }
  const text = bytes.toString()
  let records: string[][]
  try {
    records = parse(text, {
      bom: true,
      delimiter: delimiterOf(text),
      relax_column_count: true,
      skip_empty_lines: true,
      to: HEADER + MOST_ROWS + 1,
    })
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    const row = Number(error.records ?? 0) + 1
    return { ...none, mistakes: [{ row, column: null, message: 'A quotation mark is missing, or one is too many' }] }
  }
  const [header = [], ...lines] = records
  const columns = header.map((name) => name.trim())
  const known = Object.keys(Draft.shape)
  const ignored = columns.filter((name) => !known.includes(name))
  if (columns.length === 0) return { ...none, mistakes: [ofTable('The table is empty')] }
  const twice = columns.filter((name, at) => known.includes(name) && columns.indexOf(name) < at)
  const rows = lines.length
  if (rows > MOST_ROWS)
    return { ...none, ignored, mistakes: [ofTable('A table has at most {most} rows', { most: MOST_ROWS })] }
  const mistakes: Mistake[] = twice.map((column) => ({ row: HEADER, column, message: 'is there twice' }))
  if (mistakes.length > 0) return { ...none, rows, ignored, mistakes }

  const drafts = lines.flatMap((cells, at) => {
    const row = HEADER + 1 + at
    if (cells.length > columns.length) {
      mistakes.push({ row, column: null, message: 'The row has more cells than the header' })
      return []
    }
    const given = Object.fromEntries(
      columns.flatMap((name, place) => {
        const cell = cells[place] ?? ''
        const said = cell.trim()
        if (said === '' || !known.includes(name)) return []
        return [[name, AS_IT_IS.has(name) ? cell : valueIn(said)]]
      }),
    )
    const { data, error } = Draft.safeParse(given)
    if (data) return [{ row, draft: data }]
    for (const { path, ...saying } of violationsOf('', given, error!.issues))
      mistakes.push({ row, column: path!.split('.')[1] ?? null, ...saying } as Mistake)
    return []
  })
  return { rows, ignored, drafts, mistakes }
}

const ofTable = (message: Sentence, facts: object = {}): Mistake => ({ row: HEADER, column: null, message, ...facts })

function delimiterOf(text: string): string {
  const header = text.split(/[\r\n]/, 1)[0]!.replaceAll(/"[^"]*"/g, '')
  return header.includes(';') && !header.includes(',') ? ';' : ','
}

/** The first mistakes, in the order of the rows. */
export function firstOf(mistakes: readonly Mistake[]): Mistake[] {
  return mistakes.toSorted((one, other) => one.row - other.row).slice(0, MOST_ERRORS)
}
