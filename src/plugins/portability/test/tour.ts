import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { expect } from '../../../../tools/tour/guide.ts'
import type { Part } from '../../../../tools/tour/parts.ts'
import { readEntries } from '../../../data/archive/tar.ts'

/** Everything of a tenant, for it to take along. */
const part: Part = {
  shows: 'every sum is right',
  async tell({ chapter, tell }, { neighbour }) {
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
  },
}
export default part
