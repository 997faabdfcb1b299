import { readFileSync, writeFileSync } from 'node:fs'
import { command } from './command.ts'
import { remark, say } from './terminal.ts'

const DOCUMENT = new URL('../../openapi.json', import.meta.url)

export const openapi = command({
  about: 'Print the OpenAPI document of this version',
  options: { out: { type: 'string', value: 'FILE', about: 'write it into a file' } },
  async run({ out }) {
    const text = readFileSync(DOCUMENT, 'utf8')
    if (out === undefined) return say(text.trimEnd())
    writeFileSync(out, text)
    remark(`Written to ${out}.`)
  },
})
