import { api, type Role, type User } from '../lib/api.ts'
import { useCommand } from '../lib/command.ts'
import { html, type View } from '../lib/html.ts'
import { t, timeText } from '../lib/language.ts'
import { useLoad, useRows } from '../lib/load.ts'
import { may } from '../lib/me.ts'
import { go, place, setQuery } from '../lib/router.ts'
import { Confirm } from '../parts/dialog.ts'
import { Check, Field, Form, type Values } from '../parts/form.ts'
import { Badge, Empty, Page, Show } from '../parts/page.ts'
import { List } from '../parts/table.ts'

/** The people of the tenant: `people`, `people/new`, `people/7`. */
export default function People({ rest }: { rest: string }): View {
  if (rest === 'new') return html`<${NewPerson} />`
  return rest ? html`<${Person} key=${rest} id=${Number(rest)} />` : html`<${Everybody} />`
}

type RoleName = Pick<Role, 'id' | 'code' | 'name'>

const nameOf = ({ nickname, username }: Pick<User, 'nickname' | 'username'>) => nickname || username

function Status({ of }: { of: Pick<User, 'status'> }): View {
  return html`<${Badge} kind=${of.status === 'active' ? 'good' : 'warn'}>${t(of.status === 'active' ? 'active' : 'disabled')}<//>`
}

function Everybody(): View {
  const keyword = place.use().query.get('keyword') ?? ''
  const people = useRows(() => api.each.listUsers({ keyword: keyword || undefined } as object), [keyword])
  const search = (event: SubmitEvent) => {
    event.preventDefault()
    setQuery({ keyword: String(new FormData(event.target as HTMLFormElement).get('keyword')) })
  }
  return html`<${Page}
    title=${t('People')}
    actions=${may('user:create') && html`<a class="button" href="/console/people/new">${t('Add a person')}</a>`}
  >
    <form role="search" class="actions" onSubmit=${search}>
      <input type="search" name="keyword" aria-label=${t('Find people')} placeholder=${t('Name or e-mail address')} defaultValue=${keyword} />
      <button type="submit">${t('Find')}</button>
    </form>
    <${List}
      of=${people}
      caption=${t('People')}
      keyOf=${(person: User) => person.id}
      empty=${html`<${Empty}><p>${t('Nobody is called so.')}</p><//>`}
      columns=${[
        {
          title: t('Name'),
          of: (person: User) => html`<a href=${`/console/people/${person.id}`}>${nameOf(person)}</a>`,
        },
        { title: t('User name'), of: (person: User) => person.username },
        { title: t('E-mail'), of: (person: User) => person.email },
        { title: t('Roles'), of: (person: User) => person.roles.join(', ') },
        { title: t('Status'), of: (person: User) => html`<${Status} of=${person} />` },
      ]}
    />
  <//>`
}

function NewPerson(): View {
  const roles = useLoad(() => api.listRoles({ pageSize: 100 }), [])
  const command = useCommand(
    ({ username = '', password = '', nickname, email, ...rest }: Values) =>
      api.createUser({
        body: { username, password, nickname: nickname || null, email: email || null, roleIds: idsIn(rest) },
      }),
    ({ id }) => go(`people/${id}`),
  )
  return html`<${Page} title=${t('Add a person')}>
    <${Show} of=${roles}>
      ${({ items }: { items: RoleName[] }) => html`<${Form} command=${command} save=${t('Add')}>
        <${Field} name="username" label=${t('User name')} required autofocus />
        <${Field} name="nickname" label=${t('Name')} />
        <${Field} name="email" label=${t('E-mail')} type="email" />
        <${Field} name="password" label=${t('Password')} type="password" autocomplete="new-password" required />
        <${Roles} all=${items} held=${[] as string[]} />
      <//>`}
    <//>
  <//>`
}

/** Boxes are sent as `role-7`, because a form has one value for each name. */
function idsIn(values: Values): number[] {
  return Object.keys(values).flatMap((name) => (name.startsWith('role-') ? [Number(name.slice(5))] : []))
}

function Roles({ all, held }: { all: readonly RoleName[]; held: readonly string[] }): View {
  return html`<fieldset>
    <legend>${t('Roles')}</legend>
    ${all.map(({ id, code, name }) => html`<${Check} key=${id} name=${`role-${id}`} label=${name} checked=${held.includes(code)} />`)}
  </fieldset>`
}

function Person({ id }: { id: number }): View {
  const person = useLoad(() => api.getUser({ id }), [id])
  const roles = useLoad(() => api.listRoles({ pageSize: 100 }), [])
  const command = useCommand(
    ({ nickname, email, phone, ...rest }: Values) =>
      api.updateUser({
        id,
        body: { nickname: nickname || null, email: email || null, phone: phone || null, roleIds: idsIn(rest) },
      }),
    person.again,
  )
  return html`<${Show} of=${person}>
    ${(user: User) => html`<${Page}
      title=${nameOf(user)}
      actions=${
        may('user:update') &&
        html`<${Confirm}
        key=${user.status}
        label=${user.status === 'active' ? t('Disable') : t('Enable')}
        question=${user.status === 'active' ? t('{name} can no longer sign in, and every session ends. You can enable them again.', { name: nameOf(user) }) : t('{name} can sign in again.', { name: nameOf(user) })}
        yes=${user.status === 'active' ? t('Disable') : t('Enable')}
        act=${() => api.updateUser({ id, body: { status: user.status === 'active' ? 'disabled' : 'active' } })}
        then=${person.again}
      />`
      }
    >
      <dl class="facts">
        <dt>${t('User name')}</dt>
        <dd>${user.username}</dd>
        <dt>${t('Status')}</dt>
        <dd><${Status} of=${user} /></dd>
        <dt>${t('Since')}</dt>
        <dd>${timeText(user.createdAt)}</dd>
      </dl>
      ${
        may('user:update') &&
        html`<${Show} of=${roles}>
          ${({
            items,
          }: {
            items: { id: number; name: string }[]
          }) => html`<${Form} key=${user.updatedAt} command=${command} save=${t('Save')}>
            <${Field} name="nickname" label=${t('Name')} value=${user.nickname} />
            <${Field} name="email" label=${t('E-mail')} type="email" value=${user.email} />
            <${Field} name="phone" label=${t('Phone')} type="tel" value=${user.phone} />
            <${Roles} all=${items} held=${user.roles} />
          <//>`}
        <//>`
      }
    <//>`}
  <//>`
}
