import { type Detail, type FastifyRequest, Fault, fault, type Tx, translate, type z } from '#atrium'
import { getPolicy } from '#atrium/tenants'
import type { ImportReport } from '../tables.schemas.ts'
import { type Drafts, firstOf, type Mistake, readTable } from './read-table.rules.ts'

export const importFaults = {
  refused: fault('IMPORT_REFUSED', 400, 'The table has mistakes, and nothing of it was imported'),
}

/**
 * Imports a table in one transaction. A dry run does the same, and then takes it back.
 * @param doImport returns what is wrong with the rows; if anything is, nothing of it stays
 * @param prepare what takes long, before the transaction
 * @throws IMPORT_REFUSED with the first hundred mistakes, and what the importer throws
 */
export async function importTable<Shape extends z.ZodObject, Prepared = undefined>(
  req: FastifyRequest,
  Row: Shape,
  doImport: (tx: Tx, rows: Drafts<Shape>, prepared: Prepared) => Promise<Mistake[]>,
  prepare: (rows: Drafts<Shape>) => Promise<Prepared> = async () => undefined as Prepared,
): Promise<ImportReport> {
  const { dryRun } = req.query as { dryRun: boolean }
  const table = readTable((req.body as Buffer | undefined) ?? Buffer.alloc(0), Row)
  const prepared = await prepare(table.drafts)
  let mistakes: Mistake[] = []
  /** leaves the transaction of a dry run, which has done everything */
  const done = new Error('a dry run leaves nothing')
  const work = async (tx: Tx) => {
    mistakes = firstOf([...table.mistakes, ...(await doImport(tx, table.drafts, prepared))])
    if (dryRun) {
      // What waits for the commit leaves with this read, so that the database refuses what it would refuse. After a mistake
      // nothing would be committed, and what the database has refused already ends the transaction.
      if (mistakes.length === 0) await getPolicy(tx, { id: tx.tenantId })
      throw done
    }
    if (mistakes.length > 0) throw importFaults.refused(mistakes.map(detailOf))
  }
  await req.transact(work).catch((error) => {
    if (error !== done) throw error
  })
  const errors = mistakes.map((mistake) => ({ ...mistake, message: translate(req.language, mistake.message, mistake) }))
  const { rows, ignored } = table
  return { rows, created: dryRun ? 0 : rows, ignored, errors }
}

/** The mistakes that a refusal names, as those of rows. */
export function mistakesOf(error: unknown, row: number, columns: Record<string, string | null>): Mistake[] {
  if (!(error instanceof Fault)) throw error
  const column = columns[error.type] ?? null
  return [{ row, column, message: error.message }]
}

function detailOf({ row, column, ...saying }: Mistake): Detail {
  return { path: column === null ? `row ${row}` : `row ${row}.${column}`, row, column, ...saying } as unknown as Detail
}
