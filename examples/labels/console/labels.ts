import { api } from 'atrium/console/lib/api.ts'
import { html, type View } from 'atrium/console/lib/html.ts'
import { t } from 'atrium/console/lib/language.ts'
import { useLoad } from 'atrium/console/lib/load.ts'
import { Empty, Page, Show } from 'atrium/console/parts/page.ts'
import { table } from 'atrium/console/parts/table.ts'

/** What is shown of a label. */
interface Label {
  id: number
  name: string
  colour: string
}

/** The client of the service has an operation for each of ours; only its types do not know them. */
const labels = () => api as unknown as { listLabels(): Promise<Label[]> }

/** The labels of the tenant, newest first. */
export default function Labels(): View {
  const found = useLoad(() => labels().listLabels(), [])
  return html`<${Page} title=${t('Labels')}>
    <${Show} of=${found}>${(all: Label[]) =>
      all.length === 0
        ? html`<${Empty}><p>${t('There are no labels yet.')}</p><//>`
        : table({
            caption: t('Labels'),
            rows: all,
            columns: [
              { title: t('Label'), of: ({ name }) => name },
              { title: t('Colour'), of: ({ colour }) => colour },
            ],
          })}<//>
  <//>`
}
