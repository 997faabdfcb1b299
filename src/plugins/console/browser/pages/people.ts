import { api, type Role, type User } from '../lib/api.ts'
import { useCommand } from '../lib/command.ts'
import { breakable, html, type View } from '../lib/html.ts'
import { t } from '../lib/language.ts'
import { useRows } from '../lib/load.ts'
import { may, me } from '../lib/me.ts'
import { nameOf } from '../lib/names.ts'
import { roleNames, useRoles } from '../lib/roles.ts'
import { go, useQuery } from '../lib/router.ts'
import { Filter, Filters, Search } from '../parts/filters.ts'
import { Check, Field, Form, type Values } from '../parts/form.ts'
import { Badge, Links, Page, pages, Show } from '../parts/page.ts'
import { LastSignIn, PersonStatus, statusOptions } from '../parts/person.ts'
import { RoleBoxes, roleIdsIn } from '../parts/roles.ts'
import type { Deed } from '../parts/several.ts'
import { list } from '../parts/table.ts'
import { Person } from './people/person.ts'

/** The people of the tenant: `people`, `people/new`, `people/7`. */
export default pages({ all: Everybody, fresh: NewPerson, one: Person })

function Everybody(): View {
  const filters = useQuery('keyword', 'status', 'roleId', 'sort')
  const people = useRows((signal) => api.each.listUsers(filters as object, { signal }), Object.values(filters))
  const roles = useRoles().data
  return html`<${Page}
    title=${t('People')}
    actions=${html`
      ${may('user:create') && html`<a class="button" href="/console/people/new">${t('Add a person')}</a>`}
      <${Links} on="people" />
    `}
  >
    <${Filters}>
      <${Search} label=${t('Find people')} placeholder=${t('Name or e-mail address')} />
      <${Filter} name="status" label=${t('Status')} all=${t('All')} options=${statusOptions()} />
      <${Filter} name="roleId" label=${t('Role')} all=${t('All')} options=${(roles ?? []).map(({ id, name }) => [String(id), name])} />
    <//>
    ${list({
      of: people,
      whole: { operation: 'listUsers', filters },
      caption: t('People'),
      nameOf,
      deeds: may('user:update') ? deeds() : [],
      empty: t('Nobody was found.'),
      columns: [
        {
          title: t('Name'),
          of: (person) => html`<a href=${`/console/people/${person.id}`}>${nameOf(person)}</a>
            ${person.selfRegistered && html` <${Badge} kind="warn">${t('registered themselves')}<//>`}`,
        },
        { title: t('User name'), sort: 'username', of: (person) => breakable(person.username) },
        { title: t('E-mail'), of: (person) => breakable(person.email) },
        { title: t('Roles'), of: (person) => roleNames(person.roles, roles) },
        { title: t('Status'), of: (person) => html`<${PersonStatus} of=${person} />` },
        { title: t('Last sign-in'), of: (person) => html`<${LastSignIn} of=${person} />` },
      ],
    })}
  <//>`
}

const deeds = (): Deed<User>[] => {
  const isOther = ({ id }: User) => id !== me.get()!.id
  return [
    {
      word: t('Disable'),
      question: t('They can no longer sign in, and every session of theirs ends. You can enable them again.'),
      fits: (person) => person.status === 'active' && isOther(person),
      act: ({ id, version }) => api.updateUser({ id, body: { status: 'disabled', version } }),
    },
    {
      word: t('Enable'),
      question: t('They can sign in again.'),
      fits: ({ status }) => status === 'disabled',
      act: ({ id, version }) => api.updateUser({ id, body: { status: 'active', version } }),
    },
    {
      word: t('End sessions'),
      question: t('They are signed out everywhere, and can sign in again with the same password.'),
      fits: isOther,
      act: ({ id }) => api.endSessionsOfUser({ id }),
    },
  ]
}

function NewPerson(): View {
  const roles = useRoles()
  const command = useCommand(
    ({ username = '', password = '', nickname, email, mustChangePassword, ...boxes }: Values) =>
      api.createUser({
        body: {
          ...{ username, password, nickname: nickname || null, email: email || null },
          roleIds: roleIdsIn(boxes),
          mustChangePassword: mustChangePassword !== undefined,
        },
      }),
    ({ id }) => go(`people/${id}`),
  )
  return html`<${Page} title=${t('Add a person')} actions=${html`<${Links} on="people/new" />`}>
    <p>${t('The person signs in with the password that you set.')}</p>
    <${Show} of=${roles}>${(all: Role[]) => html`<${Form} command=${command} save=${t('Add')}>
      <${Field} name="username" label=${t('User name')} required autofocus />
      <${Field} name="nickname" label=${t('Name')} />
      <${Field} name="email" label=${t('E-mail')} type="email" />
      <${Field} name="password" label=${t('Password')} type="password" autocomplete="new-password" required />
      <${Check} name="mustChangePassword" label=${t('They choose their own when they first sign in')} checked />
      <${RoleBoxes} all=${all} held=${['user']} />
    <//>`}<//>
  <//>`
}
