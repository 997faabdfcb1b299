import { api, ifUnchanged, type Tenant, type TenantRegistration, type TenantStatus } from '../lib/api.ts'
import { useCommand } from '../lib/command.ts'
import { dayOf, endOf } from '../lib/days.ts'
import { html, type View } from '../lib/html.ts'
import { t, timeText } from '../lib/language.ts'
import { useLoad, useRows } from '../lib/load.ts'
import { go } from '../lib/router.ts'
import { Confirm } from '../parts/dialog.ts'
import { Edit, type Facts } from '../parts/edit.ts'
import { Field, Form, type Values } from '../parts/form.ts'
import { Badge, factList, Page, Show } from '../parts/page.ts'
import { statusOptions, statusWord } from '../parts/person.ts'
import { list } from '../parts/table.ts'
import { Inside } from './tenants/inside.ts'

/** The tenants of the installation: `tenants`, `tenants/new`, `tenants/7`, `tenants/7/inside`. */
export default function Tenants({ rest }: { rest: string }): View {
  if (rest === 'new') return html`<${NewTenant} />`
  const [id, part] = rest.split('/')
  if (!id) return html`<${All} />`
  return part === 'inside'
    ? html`<${Inside} key=${id} id=${Number(id)} />`
    : html`<${One} key=${id} id=${Number(id)} />`
}

const FIRST_TENANT = 1

function Status({ of: { status, expiredAt } }: { of: Tenant }): View {
  if (status === 'closing') return html`<${Badge} kind="bad">${t('closing')}<//>`
  if (status === 'disabled') return html`<${Badge} kind="warn">${t('disabled')}<//>`
  if (expiredAt && Date.parse(expiredAt) <= Date.now()) return html`<${Badge} kind="bad">${t('expired')}<//>`
  return html`<${Badge} kind="good">${t('active')}<//>`
}

function All(): View {
  const tenants = useRows(() => api.each.listTenants(), [])
  return html`<${Page}
    title=${t('Tenants')}
    actions=${html`<a class="button" href="/console/tenants/new">${t('Add a tenant')}</a>`}
  >
    ${list({
      of: tenants,
      caption: t('Tenants'),
      empty: null,
      columns: [
        { title: t('Tenant'), of: ({ id, name }) => html`<a href=${`/console/tenants/${id}`}>${name}</a>` },
        { title: t('Tenant code'), of: ({ code }) => code },
        { title: t('Plan'), of: ({ plan }) => plan },
        { title: t('Status'), of: (tenant) => html`<${Status} of=${tenant} />` },
        { title: t('Expires'), isTime: true, of: ({ expiredAt }) => (expiredAt ? timeText(expiredAt) : t('never')) },
        { title: t('Since'), isTime: true, of: ({ createdAt }) => timeText(createdAt, { dateStyle: 'medium' }) },
      ],
    })}
  <//>`
}

const registrations = (): [TenantRegistration, string][] => [
  ['closed', t('By invitation only')],
  ['open', t('Anyone may register')],
]

const ofOrganization = () =>
  t('Its organization has the same name at first; the administrators of the tenant can change that in Settings.')

function NewTenant(): View {
  const command = useCommand(
    ({
      name = '',
      code = '',
      plan = '',
      expiredAt,
      registration,
      adminUsername = '',
      adminPassword = '',
      adminEmail = '',
    }: Values) =>
      api.createTenant({
        body: {
          ...{ name, code, plan, adminUsername, adminPassword, adminEmail },
          expiredAt: endOf(expiredAt),
          registration: registration as TenantRegistration,
        },
      }),
    ({ id }) => go(`tenants/${id}`),
  )
  return html`<${Page} title=${t('Add a tenant')}>
    <${Form} command=${command} save=${t('Add')}>
      <${Field} name="name" label=${t('Name of the tenant')} hint=${ofOrganization()} required autofocus />
      <${Field} name="code" label=${t('Tenant code')} hint=${t('Its people type it at sign-in. Lower-case letters, digits and hyphens; it cannot be changed.')} required />
      <${Field} name="plan" label=${t('Plan')} required />
      <${Field} name="expiredAt" label=${t('Expires')} type="date" hint=${t('Empty: it does not expire.')} />
      <${Field} name="registration" label=${t('Registration')} options=${registrations()} />
      <fieldset>
        <legend>${t('Its administrator')}</legend>
        <${Field} name="adminUsername" label=${t('User name')} required />
        <${Field} name="adminEmail" label=${t('E-mail')} type="email" required />
        <${Field} name="adminPassword" label=${t('Password')} hint=${t('At least ten characters.')} type="password" autocomplete="new-password" required />
      </fieldset>
    <//>
  <//>`
}

const factsOf = ({ name, plan, status, expiredAt, registration }: Tenant): Facts => [
  [t('Name of the tenant'), name],
  [t('Plan'), plan],
  [t('Status'), statusWord(status)],
  [t('Expires'), expiredAt ? timeText(expiredAt) : t('never')],
  [t('Registration'), registrations().find(([value]) => value === registration)![1]],
]

function One({ id }: { id: number }): View {
  const address = `/api/v1/tenants/${id}`
  const tenant = useLoad(async () => ({ ...(await api.getTenant({ id })), call: ifUnchanged(address) }), [id])
  const save = ({ name, plan, status, expiredAt, registration }: Values, before: Tenant & { call: object }) =>
    api.updateTenant(
      {
        id,
        body: {
          ...{ name: name!, plan: plan!, registration: registration as TenantRegistration },
          ...(id !== FIRST_TENANT &&
            before.status !== 'closing' && { status: status as Exclude<TenantStatus, 'closing'> }),
          // A day alone would move the hour of an expiry that was not touched.
          ...(id !== FIRST_TENANT && expiredAt !== dayOf(before.expiredAt) && { expiredAt: endOf(expiredAt) }),
        },
      },
      before.call,
    )
  return html`<${Show} of=${tenant}>${(found: Tenant) => html`<${Page}
    title=${found.name}
    actions=${html`<a class="button" href=${`/console/tenants/${id}/inside`}>${t('Look inside')}</a>
      ${id !== FIRST_TENANT && html`<${Closing} tenant=${found} again=${tenant.again} />`}`}
  >
    ${factList([
      [t('Tenant code'), found.code],
      [t('Status'), html`<${Status} of=${found} />`],
      [t('Since'), timeText(found.createdAt)],
      found.eraseAt && [t('Will be erased'), timeText(found.eraseAt)],
    ])}
    <section class="sheet">
      <${Edit} of=${tenant} address=${address} facts=${factsOf} save=${save}>
        ${(of: Tenant) => html`
          <${Field} name="name" label=${t('Name of the tenant')} hint=${ofOrganization()} value=${of.name} required />
          <${Field} name="plan" label=${t('Plan')} value=${of.plan} required />
          ${id !== FIRST_TENANT && of.status !== 'closing' && html`<${Field} name="status" label=${t('Status')} value=${of.status} hint=${t('The people of a disabled tenant are refused within a second; nothing is lost.')} options=${statusOptions()} />`}
          ${id !== FIRST_TENANT && html`<${Field} name="expiredAt" label=${t('Expires')} type="date" hint=${t('Empty: it does not expire.')} value=${dayOf(of.expiredAt)} />`}
          <${Field} name="registration" label=${t('Registration')} value=${of.registration} options=${registrations()} />
        `}
      <//>
    </section>
  <//>`}<//>`
}

/** Ends a tenant for good, in thirty days; until then it can be reopened. */
function Closing({ tenant: { id, name, status }, again }: { tenant: Tenant; again(): void }): View {
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
