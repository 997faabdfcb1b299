import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import type { Atrium } from '../../../client/index.ts'
import { readEntries } from '../../../src/data/archive/tar.ts'
import { bearing, type Tour } from '../cast.ts'
import { expect } from '../guide.ts'

/** What a tenant can take with it: the trail of its audit, and everything that it has. */
export async function tellGivingBack(tour: Tour, neighbour: Atrium, token: string): Promise<void> {
  const { chapter, tell, visit } = tour

  chapter('The audit as evidence')
  const { headers } = bearing(token)
  const trail = () =>
    visit('/api/v1/audit/operations?after=0', { headers: { ...headers, accept: 'application/x-ndjson' } })
  await tell('The whole trail, a row a line. Each row has the hash of the one before.', trail, 200, async (answer) => {
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
  })

  chapter('Everything of a tenant')
  const archive = () => neighbour.exportTenant()
  await tell('The tenant takes everything with it: tables, files, and their sums.', archive, 200, async (answer) => {
    const sums = new Map<string, string>()
    let manifest: { entries: { name: string; sha256: string }[]; withheld: object } | undefined
    for await (const { name, body } of readEntries(Readable.fromWeb(answer.body as never))) {
      const bytes = Buffer.concat(await Array.fromAsync(body))
      sums.set(name, createHash('sha256').update(bytes).digest('hex'))
      if (name === 'manifest.json') manifest = JSON.parse(bytes.toString())
    }
    expect(manifest !== undefined && [...sums.keys()].at(-1) === 'manifest.json.sha256', 'a whole archive')
    for (const { name, sha256 } of manifest.entries) expect(sums.get(name) === sha256, `the sum of ${name}`)
    return `${manifest.entries.length} entries, every sum is right`
  })
}
