import { type Detail, type FastifyRequest, Fault, fault, type Tx, translate, type z } from '#atrium'
import { getPolicy } from '#atrium/tenants'
import type { ImportReport } from '../tables.schemas.ts'
import { firstOf, type Mistake, type ReadTable, readTable } from './read-table.rules.ts'

export const importFaults = {
  refused: fault('IMPORT_REFUSED', 400, 'The table has mistakes, and nothing of it was imported'),
}

/** What a row of a table becomes. @returns what is wrong with them; if anything is, nothing of it stays */
export type Importer<Row, Prepared> = (tx: Tx, rows: ReadTable<Row>['drafts'], prepared: Prepared) => Promise<Mistake[]>

/** Leaves the transaction of a dry run, which has done everything. */
class Done extends Error {
  readonly mistakes: Mistake[]
  constructor(mistakes: Mistake[]) {
    super('a dry run leaves nothing')
    this.mistakes = mistakes
  }
}

/**
 * Imports a table in one transaction. A dry run does the same, and then takes it back.
 * @param prepare what takes long, before the transaction
 * @throws IMPORT_REFUSED with the first hundred mistakes, and what the importer throws
 */
export async function importTable<Shape extends z.ZodObject, Prepared = undefined>(
  req: FastifyRequest,
  Row: Shape,
  doImport: Importer<z.output<Shape>, Prepared>,
  prepare: (rows: ReadTable<z.output<Shape>>['drafts']) => Promise<Prepared> = async () => undefined as Prepared,
): Promise<ImportReport> {
  const { dryRun } = req.query as { dryRun: boolean }
  const table = readTable((req.body as Buffer | undefined) ?? Buffer.alloc(0), Row)
  const prepared = await prepare(table.drafts)
  const work = async (tx: Tx) => {
    const mistakes = firstOf([...table.mistakes, ...(await doImport(tx, table.drafts, prepared))])
    if (dryRun) {
      // What waits for the commit leaves with this read, so that the database refuses what it would refuse. After a mistake
      // nothing would be committed, and what the database has refused already ends the transaction.
      if (mistakes.length === 0) await getPolicy(tx, { id: tx.tenantId })
      throw new Done(mistakes)
    }
    if (mistakes.length > 0) throw importFaults.refused(mistakes.map(detailOf))
  }
  const mistakes = await req.transact(work).then(
    () => [],
    (error) => {
      if (error instanceof Done) return error.mistakes
      throw error
    },
  )
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
