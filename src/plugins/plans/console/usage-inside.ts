import { api, type Call } from '#console/lib/api.ts'
import { html, type View } from '#console/lib/html.ts'
import { t } from '#console/lib/language.ts'
import { UsageOf } from './usage.ts'

export default function UsageInside({ call }: { call: Call }): View {
  return html`
    <h2>${t('Usage')}</h2>
    <${UsageOf} read=${() => api.getTenantUsage({}, call)} />
  `
}
