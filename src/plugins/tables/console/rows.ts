/**
 * The rows of a table as a spreadsheet numbers them, the header first, to show them beside their mistakes. What they mean
 * is decided by the service. RFC 4180, with commas, or semicolons if those separate the names of the columns.
 */
export function rowsOf(text: string): string[][] {
  const header = text.split(/[\r\n]/, 1)[0]!.replaceAll(/"[^"]*"/g, '')
  const separator = header.includes(';') && !header.includes(',') ? ';' : ','
  const cell = new RegExp(`(?:"((?:[^"]|"")*)"|([^"${separator}\\r\\n]*))(${separator}|\\r\\n|\\r|\\n|$)`, 'y')
  const rows: string[][] = []
  let row: string[] = []
  while (cell.lastIndex < text.length) {
    const found = cell.exec(text)
    // A quotation mark is missing, or one is too many.
    if (!found) break
    const [, quoted, plain, end] = found
    row.push(quoted?.replaceAll('""', '"') ?? plain!)
    if (end === separator) continue
    const isEmptyLine = row.length === 1 && plain === ''
    if (!isEmptyLine) rows.push(row)
    row = []
  }
  if (row.length > 0) rows.push([...row, ''])
  return rows
}
