import { type AuditOperation, api, type Tenant, type User } from '../../lib/api.ts'
import { html, type View } from '../../lib/html.ts'
import { t, timeText } from '../../lib/language.ts'
import { useLoad } from '../../lib/load.ts'
import { nameOf } from '../../lib/names.ts'
import { roleNames, useRoles } from '../../lib/roles.ts'
import { Page, Show, Slot } from '../../parts/page.ts'
import { statusWord } from '../../parts/person.ts'
import { table } from '../../parts/table.ts'

const SHOWN = 20

/** What the system administrator sees of a tenant, without becoming anybody in it. The audit of the tenant records it. */
export function Inside({ id }: { id: number }): View {
  const tenant = useLoad(() => api.getTenant({ id }), [id])
  return html`<${Show} of=${tenant}>${({ name, code }: Tenant) => {
    const inside = { headers: { 'x-tenant-code': code } }
    return html`<${Page} title=${t('Inside {name}', { name })}>
      <p class="quiet">${t('You read as the system administrator. The audit of this tenant records what you read.')}</p>
      <${Slot} name="inside-tenant" call=${inside} />
      <h2>${t('People')}</h2>
      <${People} call=${inside} />
      <h2>${t('Last requests')}</h2>
      <${Requests} call=${inside} />
    <//>`
  }}<//>`
}

function People({ call }: { call: object }): View {
  const people = useLoad(() => api.listUsers({ pageSize: SHOWN }, call), [])
  const named = useRoles(call).data
  return html`<${Show} of=${people}>${({ items, total }: { items: User[]; total: number }) => html`
    ${table({
      caption: t('People'),
      rows: items,
      columns: [
        { title: t('Name'), of: nameOf },
        { title: t('User name'), of: ({ username }) => username },
        { title: t('Roles'), of: ({ roles }) => roleNames(roles, named) },
        { title: t('Status'), of: ({ status }) => statusWord(status) },
      ],
    })}
    ${total > items.length && html`<p class="quiet">${t('The newest {count} of {total}.', { count: items.length, total })}</p>`}
  `}<//>`
}

function Requests({ call }: { call: object }): View {
  const requests = useLoad(() => api.listAuditOperations({ pageSize: SHOWN }, call), [])
  return html`<${Show} of=${requests}>${(rows: AuditOperation[]) =>
    table({
      caption: t('Last requests'),
      rows,
      columns: [
        { title: t('When'), isTime: true, of: ({ createdAt }) => timeText(createdAt) },
        { title: t('Who'), of: ({ username }) => username },
        { title: t('Request'), of: ({ method, path }) => `${method} ${path}` },
        { title: t('Status'), isNumber: true, of: ({ status }) => status },
      ],
    })}<//>`
}
