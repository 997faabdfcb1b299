import { type Checks, type Finding, ok, warn } from '#atrium'
import { countAllUnlinked, type Unlinked } from './waiting.ts'

const LONGEST_WAIT_SECONDS = 600

/** Rows of the audit get their link within seconds; what has none can be changed without a trace. */
export const checks: Checks = { stored: async (database) => [judgeChains(await countAllUnlinked(database))] }

/** While a chain moves, it catches up with older rows, as after an update. */
export function judgeChains({ rows, oldest, stalled }: Unlinked): Finding {
  if (oldest < LONGEST_WAIT_SECONDS) return ok('audit', 'its rows are linked; atrium audit verify checks them')
  if (stalled < LONGEST_WAIT_SECONDS) return ok('audit', `its chains are catching up: ${rows} rows are left to link`)
  const minutes = Math.floor(stalled / 60)
  const remedy = 'a running service links them; if one runs, its log says what fails, or a transaction has not ended'
  return warn('audit', `rows have had no link for ${minutes} minutes, so a change of them would not be seen`, remedy)
}
