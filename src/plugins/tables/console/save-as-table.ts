import type { WholeList } from '#console/extension.ts'
import { api, type Call } from '#console/lib/api.ts'
import { useCommand } from '#console/lib/command.ts'
import { html, type View } from '#console/lib/html.ts'
import { t } from '#console/lib/language.ts'
import { save } from '#console/lib/save.ts'
import { Failure } from '#console/parts/notice.ts'

type Read = (filters: object, call: Call) => Promise<Response>

/** Saves the whole of a list as a file for spreadsheets. */
export default function SaveAsTable({ operation, filters }: WholeList): View {
  const command = useCommand(async () => {
    const read = (api as unknown as Record<string, Read>)[operation]!
    const answer = await read({ ...filters, bom: true }, { headers: { accept: 'text/csv' } })
    const [, name = 'table.csv'] = /filename="([^"]+)"/.exec(answer.headers.get('content-disposition') ?? '') ?? []
    await save(answer, name, () => {})
  })
  return html`
    <p><button type="button" aria-disabled=${command.isBusy} onClick=${() => command.isBusy || void command.run()}>${t('Save as CSV')}</button></p>
    <${Failure} of=${command.failure} />
  `
}
