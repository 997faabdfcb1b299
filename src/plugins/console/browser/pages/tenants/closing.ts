import { api, type Tenant } from '../../lib/api.ts'
import { html, type View } from '../../lib/html.ts'
import { t } from '../../lib/language.ts'
import { Confirm } from '../../parts/dialog.ts'

/** Ends a tenant for good, in thirty days; until then it can be reopened. */
export function Closing({ tenant: { id, name, status }, again }: { tenant: Tenant; again(): void }): View {
  if (status === 'closing')
    return html`<${Confirm}
      key="reopen"
      label=${t('Reopen')}
      question=${t('{name} works again, and nothing of it is erased.', { name })}
      act=${() => api.reopenTenant({ id })}
      then=${again}
    />`
  return html`<${Confirm}
    key="close"
    label=${t('Close the tenant')}
    question=${t('The people of {name} are refused immediately. After 30 days everything of it is erased and cannot be brought back. Until then you can reopen it.', { name })}
    act=${() => api.closeTenant({ id })}
    then=${again}
  />`
}
