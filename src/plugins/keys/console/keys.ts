import { api, ifUnchanged, type Role, type ServiceAccount } from '#console/lib/api.ts'
import { useCommand } from '#console/lib/command.ts'
import { html, type View } from '#console/lib/html.ts'
import { t, timeText } from '#console/lib/language.ts'
import { useLoad, useRows } from '#console/lib/load.ts'
import { roleNames, useRoles } from '#console/lib/roles.ts'
import { go } from '#console/lib/router.ts'
import { Confirm } from '#console/parts/dialog.ts'
import { Edit, type Facts } from '#console/parts/edit.ts'
import { Field, Form, type Values } from '#console/parts/form.ts'
import { Empty, Page, pages, Show } from '#console/parts/page.ts'
import { PersonStatus, statusOptions, statusWord } from '#console/parts/person.ts'
import { RoleBoxes, roleIdsIn } from '#console/parts/roles.ts'
import { list } from '#console/parts/table.ts'
import { KeysOf } from './keys-of.ts'

/** Service accounts, as which other systems call: `keys`, `keys/new`, `keys/7`. */
export default pages({ all: Accounts, fresh: NewAccount, one: Account })

function Accounts(): View {
  const accounts = useRows(() => api.each.listServiceAccounts(), [])
  const roles = useRoles()
  const add = html`<a class="button" href="/console/keys/new">${t('Add a service account')}</a>`
  return html`<${Page} title=${t('Keys')} actions=${add}>
    ${list({
      of: accounts,
      caption: t('Service accounts'),
      empty: html`<${Empty}>
        <p>${t('Other systems call the API as a service account, with a key. Add an account for each system, with only the roles that it needs; then make a key for it.')}</p>
        ${add}
      <//>`,
      columns: [
        { title: t('Service account'), of: ({ id, name }) => html`<a href=${`/console/keys/${id}`}>${name}</a>` },
        { title: t('Roles'), of: (account) => roleNames(account.roles, roles.data) },
        { title: t('Status'), of: (account) => html`<${PersonStatus} of=${account} />` },
        { title: t('Since'), isTime: true, of: ({ createdAt }) => timeText(createdAt) },
      ],
    })}
  <//>`
}

function NewAccount(): View {
  const roles = useRoles()
  const command = useCommand(
    ({ name = '', ...boxes }: Values) => api.createServiceAccount({ body: { name, roleIds: roleIdsIn(boxes) } }),
    ({ id }) => go(`keys/${id}`),
  )
  return html`<${Page} title=${t('Add a service account')}>
    <${Show} of=${roles}>${(all: Role[]) => html`<${Form} command=${command} save=${t('Add')}>
      <${Field} name="name" label=${t('Name of the system')} hint=${t('Such as "Invoices"')} required autofocus />
      <${RoleBoxes} all=${all} held=${[] as string[]} />
    <//>`}<//>
  <//>`
}

function Account({ id }: { id: number }): View {
  const address = `/api/v1/service-accounts/${id}`
  const account = useLoad(async () => ({ ...(await api.getServiceAccount({ id })), call: ifUnchanged(address) }), [id])
  const roles = useRoles()
  const save = ({ name, status, ...boxes }: Values, { call }: { call: object }) =>
    api.updateServiceAccount({ id, body: { name: name!, status: status as 'active', roleIds: roleIdsIn(boxes) } }, call)
  const factsOf = ({ name, status, roles: held }: ServiceAccount): Facts => [
    [t('Name of the system'), name],
    [t('Status'), statusWord(status)],
    [t('Roles'), roleNames(held, roles.data)],
  ]
  return html`<${Show} of=${account}>${(found: ServiceAccount) => html`<${Page}
    title=${found.name}
    actions=${html`<${Confirm}
      label=${t('Delete')}
      question=${t('The account {name} and all its keys are deleted. Systems that use them are refused within a second. This cannot be undone.', { name: found.name })}
      act=${() => api.deleteServiceAccount({ id })}
      said=${t('{name} is deleted.', { name: found.name })}
      then=${() => go('keys', { replace: true })}
    />`}
  >
    <${KeysOf} account=${found} />
    <h2>${t('The account')}</h2>
    <section class="sheet">
      <${Show} of=${roles}>${(all: Role[]) => html`
        <${Edit} of=${account} address=${address} facts=${factsOf} save=${save}>
          ${({ name, status, roles: held }: ServiceAccount) => html`
            <${Field} name="name" label=${t('Name of the system')} value=${name} required />
            <${Field} name="status" label=${t('Status')} value=${status} hint=${t('The keys of a disabled account are refused; they work again when it is enabled.')} options=${statusOptions()} />
            <${RoleBoxes} all=${all} held=${held} />
          `}
        <//>`}<//>
    </section>
  <//>`}<//>`
}
