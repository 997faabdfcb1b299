import { api } from '#console/lib/api.ts'
import { useCommand } from '#console/lib/command.ts'
import { html, useState, type View } from '#console/lib/html.ts'
import { bytesText, t } from '#console/lib/language.ts'
import { save } from '#console/lib/save.ts'
import { Form } from '#console/parts/form.ts'
import { say } from '#console/parts/notice.ts'
import { Page } from '#console/parts/page.ts'

export default function Export(): View {
  const [bytes, setBytes] = useState<number>()
  const command = useCommand(
    async () => {
      setBytes(0)
      const name = `export-${new Date().toISOString().slice(0, 10)}.tar`
      return save(await api.exportTenant(), name, setBytes).finally(() => setBytes(undefined))
    },
    (isSaved) => isSaved && say(t('The export is complete.')),
  )
  return html`<${Page} title=${t('Export')}>
    <section class="sheet">
      <p>${t('One archive with everything of this tenant as it is now: every table, and every file with its checksum. It takes a while if there is much.')}</p>
      <p class="quiet">${t('It contains personal data. Secrets that could be used, such as keys, are not in it.')}</p>
      <${Form} command=${command} save=${t('Export everything')} />
      ${bytes !== undefined && html`<p role="status">${t('{size} received. Leave this page open.', { size: bytesText(bytes) })} <progress /></p>`}
    </section>
  <//>`
}
