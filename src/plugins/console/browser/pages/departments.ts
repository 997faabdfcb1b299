import { api } from '../lib/api.ts'
import { useCommand } from '../lib/command.ts'
import { html, type View } from '../lib/html.ts'
import { t } from '../lib/language.ts'
import { useLoad } from '../lib/load.ts'
import { may } from '../lib/me.ts'
import { go, place } from '../lib/router.ts'
import { Field, Form, type Values } from '../parts/form.ts'
import { Empty, Page, pages, Show } from '../parts/page.ts'
import { PersonField } from '../parts/person.ts'
import { OneDepartment } from './departments/department.ts'
import { type Flat, flat } from './departments/tree.ts'
import { Tree } from './departments/tree-view.ts'

/** The departments as a tree: `departments`, `departments/new?parent=3`, `departments/7`. */
export default pages({ all: All, fresh: NewDepartment, one: OneDepartment })

function All(): View {
  const tree = useLoad(async () => flat(await api.listDepartments()), [])
  const add = html`<a class="button" href="/console/departments/new">${t('Add a department')}</a>`
  return html`<${Page} title=${t('Departments')} actions=${may('department:manage') && add}>
    <${Show} of=${tree}>${(all: Flat[]) =>
      all.length === 0
        ? html`<${Empty}>
            <p>${t('There are no departments yet. The leader of a department decides its requests first.')}</p>
            ${may('department:manage') && add}
          <//>`
        : html`<${Tree} all=${all} again=${tree.again} />`}<//>
  <//>`
}

function NewDepartment(): View {
  const parent = Number(place.use().query.get('parent')) || null
  const tree = useLoad(async () => flat(await api.listDepartments()), [])
  const command = useCommand(
    ({ name = '', code = '', parentId, leaderId }: Values) =>
      api.createDepartment({
        body: {
          ...{ name, code, parentId: parentId ? Number(parentId) : null, leaderId: leaderId ? Number(leaderId) : null },
          sort: (tree.data ?? []).filter((one) => one.parentId === (Number(parentId) || null)).length + 1,
        },
      }),
    () => go('departments'),
  )
  return html`<${Page} title=${t('Add a department')}>
    <${Show} of=${tree}>${(all: Flat[]) => html`<${Form} command=${command} save=${t('Add')}>
      <${Field} name="name" label=${t('Department name')} required autofocus />
      <${Field} name="code" label=${t('Short code')} hint=${t('Such as SALES; no other department has it.')} required />
      <${Field}
        name="parentId"
        label=${t('Belongs to')}
        value=${parent ?? ''}
        options=${[['', t('the top')], ...all.map(({ id, name, level }) => [String(id), `${'  '.repeat(level)}${name}`])]}
      />
      <${PersonField} name="leaderId" label=${t('Leader')} hint=${t('Decides the requests of the department first.')} />
    <//>`}<//>
  <//>`
}
