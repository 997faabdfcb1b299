import { createHash } from 'node:crypto'
import { bearing } from '../../../../tools/tour/cast.ts'
import { expect } from '../../../../tools/tour/guide.ts'
import type { Part } from '../../../../tools/tour/parts.ts'

/** The trail of the audit of a tenant, checked link by link. */
const part: Part = {
  shows: 'the chain holds to',
  async tell({ chapter, tell, visit }, { token }) {
    chapter('The audit as evidence')
    const { headers } = bearing(token)
    const trail = () =>
      visit('/api/v1/audit/operations?after=0', { headers: { ...headers, accept: 'application/x-ndjson' } })
    await tell(
      'The whole trail, a row a line. Each row has the hash of the one before.',
      trail,
      200,
      async (answer) => {
        const rows = (await answer.text()).trimEnd().split('\n')
        let before = '0'.repeat(64)
        for (const row of rows) {
          const { chain, ...facts } = JSON.parse(row)
          const canonical = JSON.stringify(facts, Object.keys(facts).sort())
          before = createHash('sha256')
            .update(before + canonical)
            .digest('hex')
          expect(chain === before, `the chain to hold at row ${facts.id}`)
        }
        return `${rows.length} rows, and the chain holds to ${before.slice(0, 16)}…`
      },
    )
  },
}
export default part
