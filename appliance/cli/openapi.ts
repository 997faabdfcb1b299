import { writeFileSync } from 'node:fs'
import { command } from '../../src/atrium/command-line.ts'
import { readDocument } from '../../src/http/docs/document.ts'
import { documentsOf, loadDomains } from '../../src/load-domains.ts'
import { remark, say } from './terminal.ts'
import { configOf } from './workplace.ts'

export const openapi = command({
  about: 'Print the OpenAPI document of this version and its domains',
  options: { out: { type: 'string', value: 'FILE', about: 'write it to a file' } },
  async run({ out }) {
    const text = await readDocument(documentsOf(await loadDomains(configOf(process.env))))
    if (out === undefined) return say(text.trimEnd())
    writeFileSync(out, text)
    remark(`Written to ${out}.`)
  },
})
