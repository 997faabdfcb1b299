import { writeFileSync } from 'node:fs'
import { command } from './command.ts'
import { remark, say } from './terminal.ts'

export const openapi = command({
  about: 'Print the OpenAPI document of this version',
  options: { out: { type: 'string', value: 'FILE', about: 'write it into a file' } },
  run: async ({ out }) => {
    // It takes the whole service, which the other commands need not wait for.
    const { openapiDocument } = await import('./openapi-document.ts')
    const text = JSON.stringify(await openapiDocument(), null, 2)
    if (out === undefined) return say(text)
    writeFileSync(out, `${text}\n`)
    remark(`Written to ${out}.`)
  },
})
