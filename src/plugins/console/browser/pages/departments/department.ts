import { api, type Department } from '../../lib/api.ts'
import { useCommand } from '../../lib/command.ts'
import { html, useState, type View } from '../../lib/html.ts'
import { t } from '../../lib/language.ts'
import { useLoad, useRows } from '../../lib/load.ts'
import { may } from '../../lib/me.ts'
import { nameOf } from '../../lib/names.ts'
import { go } from '../../lib/router.ts'
import { Confirm } from '../../parts/dialog.ts'
import { Edit } from '../../parts/edit.ts'
import { Field, Form, type Values } from '../../parts/form.ts'
import { Page, Show } from '../../parts/page.ts'
import { PersonField, PersonStatus, statusOptions, statusWord } from '../../parts/person.ts'
import { list } from '../../parts/table.ts'

/** One department: its form, and its members. */
export function OneDepartment({ id }: { id: number }): View {
  const department = useLoad(() => api.getDepartment({ id }), [id])
  if (!department.data) return html`<${Page} title=${t('Departments')}><${Show} of=${department}>${() => null}<//><//>`
  const { name } = department.data
  const save = (values: Values, { parentId, sort, version }: Department) =>
    api.replaceDepartment({
      id,
      body: {
        ...{ parentId, sort, version, name: values.name ?? '', code: values.code ?? '' },
        leaderId: values.leaderId ? Number(values.leaderId) : null,
        status: values.status as Department['status'],
      },
    })
  const facts = (one: Department) =>
    [
      [t('Department name'), one.name],
      [t('Short code'), one.code],
      [t('Leader'), one.leaderName ?? ''],
      [t('Status'), statusWord(one.status)],
    ] as const
  return html`<${Page}
    title=${name}
    actions=${
      may('department:manage') &&
      html`<a class="button" href=${`/console/departments/new?parent=${id}`}>${t('Add a department below it')}</a>
        <${Confirm}
          label=${t('Delete')}
          question=${t('{name} is deleted. That works only while it has no people, no departments below it and no open requests.', { name })}
          act=${() => api.deleteDepartment({ id })}
          said=${t('{name} was deleted.', { name })}
          then=${() => go('departments')}
        />`
    }
  >
    ${
      may('department:manage') &&
      html`<${Edit} of=${department} address=${`/api/v1/departments/${id}`} facts=${facts} save=${save}>
        ${(now: Department) => html`
          <${Field} name="name" label=${t('Department name')} value=${now.name} required />
          <${Field} name="code" label=${t('Short code')} value=${now.code} required />
          <${PersonField}
            name="leaderId"
            label=${t('Leader')}
            hint=${t('Decides the requests of the department first.')}
            value=${now.leaderId === null ? undefined : { id: now.leaderId, name: now.leaderName ?? '' }}
          />
          <${Field} name="status" label=${t('Status')} value=${now.status} options=${statusOptions()} />
        `}
      <//>`
    }
    <${Members} id=${id} />
  <//>`
}

function Members({ id }: { id: number }): View {
  const members = useRows((signal) => api.each.listDepartmentMembers({ id }, { signal }), [id])
  const [added, count] = useState(0)
  const add = useCommand(
    ({ userId }: Values) => api.assignDepartmentMember({ id, userId: Number(userId) }),
    () => {
      count(added + 1)
      members.again()
    },
  )
  return html`<section>
    <h2>${t('Members')}</h2>
    ${list({
      of: members,
      caption: t('Members'),
      empty: t('Nobody belongs to this department yet. Add somebody below.'),
      columns: [
        {
          title: t('Name'),
          of: (one) =>
            may('user:list') ? html`<a href=${`/console/people/${one.id}`}>${nameOf(one)}</a>` : nameOf(one),
        },
        { title: t('Status'), of: (one) => html`<${PersonStatus} of=${one} />` },
        {
          title: t('Actions'),
          of: (one) =>
            may('department:manage') &&
            html`<${Confirm}
              label=${t('Remove')}
              question=${t('{name} no longer belongs to this department. You can add them again.', { name: nameOf(one) })}
              act=${() => api.removeDepartmentMember({ id, userId: one.id })}
              then=${members.again}
            />`,
        },
      ],
    })}
    ${
      may('department:manage') &&
      html`<${Form} key=${added} command=${add} save=${t('Add to the department')}>
        <${PersonField} name="userId" label=${t('Person')} hint=${t('Everybody belongs to one department: they leave the one they are in.')} />
      <//>`
    }
  </section>`
}
