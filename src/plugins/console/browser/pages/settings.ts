import { api, ifUnchanged, type Organization } from '../lib/api.ts'
import { html, type View } from '../lib/html.ts'
import { t } from '../lib/language.ts'
import { useLoad } from '../lib/load.ts'
import { may, me } from '../lib/me.ts'
import { Edit } from '../parts/edit.ts'
import { Field, type Values } from '../parts/form.ts'
import { Page, Show, Slot } from '../parts/page.ts'

/** What holds for everybody in the tenant. */
export default function Settings(): View {
  return html`<${Page} title=${t('Settings')}>
    ${may('department:list') && html`<${OrganizationForm} />`}
    <${Slot} name="settings" />
  <//>`
}

function OrganizationForm(): View {
  const address = '/api/v1/organizations/current'
  const organization = useLoad(async () => ({ ...(await api.getOrganization()), call: ifUnchanged(address) }), [])
  const save = ({ name = '' }: Values, { id, call }: Organization & { call: object }) =>
    api.updateOrganization({ id, body: { name } }, call)
  return html`<section>
    <h2>${t('Organization')}</h2>
    <${Show} of=${organization}>${({ id }: Organization) =>
      may('department:manage')
        ? html`<${Edit}
            of=${organization}
            address=${`/api/v1/organizations/${id}`}
            facts=${({ name }: Organization) => [[t('Organization name'), name]]}
            save=${save}
          >
            ${({ name }: Organization) => html`<${Field} name="name" label=${t('Organization name')} value=${name} hint=${t('The tenant itself is called {tenant}. Only the system administrator can rename it.', { tenant: me.get()!.tenant?.name ?? '' })} required />`}
          <//>`
        : html`<p>${organization.data!.name}</p>`}<//>
  </section>`
}
