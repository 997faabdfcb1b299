import { api, type Project, type ProjectMember } from '../../lib/api.ts'
import { useCommand } from '../../lib/command.ts'
import { html, useState, type View } from '../../lib/html.ts'
import { t, timeText } from '../../lib/language.ts'
import { useLoad, useRows } from '../../lib/load.ts'
import { may } from '../../lib/me.ts'
import { nameOf } from '../../lib/names.ts'
import { Confirm } from '../../parts/dialog.ts'
import { Field, Form, type Values } from '../../parts/form.ts'
import { say, sayFailure } from '../../parts/notice.ts'
import { Badge, factList, Page, Show, Slot } from '../../parts/page.ts'
import { PersonField } from '../../parts/person.ts'
import { list } from '../../parts/table.ts'

type Role = ProjectMember['role']

/** One project: what is known of it, and who is in it. */
export function OneProject({ id }: { id: number }): View {
  const found = useLoad(() => api.getProject({ id }), [id])
  if (!found.data) return html`<${Page} title=${t('Projects')}><${Show} of=${found}>${() => null}<//><//>`
  const project = found.data
  return html`<${Page}
    title=${project.name}
    actions=${html`
      <a class="button" href=${`/console/tasks?projectId=${id}`}>${t('Tasks')}</a>
      <${Slot} name="project" of=${project} />
    `}
  >
    ${factList([
      [t('Short code'), project.code],
      [t('Owner'), project.ownerName],
      [t('Status'), html`<${ProjectStatus} of=${project} />`],
      [t('First day'), project.startDate ?? '–'],
      [t('Last day'), project.endDate ?? '–'],
    ])}
    ${project.description && html`<p class="text">${project.description}</p>`}
    <${Members} of=${project} />
  <//>`
}

/** What somebody is in a project. */
export const roleWords = (): Record<NonNullable<Project['myRole']>, string> => ({
  owner: t('owner'),
  member: t('member'),
  viewer: t('viewer'),
})

/** Whether a project can still be changed. */
export function ProjectStatus({ of: { status } }: { of: Project }): View {
  const isActive = status === 'ACTIVE'
  return html`<${Badge} kind=${isActive ? 'good' : 'plain'}>${isActive ? t('active') : t('archived')}<//>`
}

/** Those who are in a project. A viewer reads and comments; they become a member here, or a member becomes a viewer. */
function Members({ of: { id, ownerId, status, myRole } }: { of: Project }): View {
  const members = useRows<ProjectMember>((signal) => api.each.listProjectMembers({ id }, { signal }), [id])
  const mayChange =
    status === 'ACTIVE' && may('project:update') && (may('project:manage') || (myRole !== null && myRole !== 'viewer'))
  const put = (userId: number, role: Role) => api.addProjectMember({ id, userId, body: { role } })
  const [added, count] = useState(0)
  const add = useCommand(
    ({ userId, role }: Values) => put(Number(userId), role as Role),
    () => {
      count(added + 1)
      members.again()
    },
  )
  const become = (one: ProjectMember, role: Role) =>
    put(one.userId, role)
      .then(() => say(t('{name} is now: {role}.', { name: nameOf(one), role: roleWords()[role] })), sayFailure)
      .finally(members.again)
  return html`<section>
    <h2>${t('Members')}</h2>
    ${list({
      of: members,
      caption: t('Members'),
      keyOf: ({ userId }) => userId,
      empty: null,
      columns: [
        { title: t('Name'), of: nameOf },
        {
          title: t('Role'),
          of: (one) =>
            one.userId === ownerId
              ? roleWords().owner
              : mayChange
                ? html`<${ChooseRole} of=${one} choose=${(role: Role) => void become(one, role)} />`
                : roleWords()[one.role],
        },
        { title: t('Member since'), isTime: true, of: ({ since }) => timeText(since) },
        {
          title: t('Actions'),
          of: (one) =>
            mayChange &&
            one.userId !== ownerId &&
            html`<${Confirm}
              label=${t('Remove')}
              about=${nameOf(one)}
              question=${t('{name} no longer sees this project. You can add them again.', { name: nameOf(one) })}
              act=${() => api.removeProjectMember({ id, userId: one.userId })}
              then=${members.again}
            />`,
        },
      ],
    })}
    ${
      mayChange &&
      html`<${Form} key=${added} command=${add} save=${t('Add to the project')}>
        <${PersonField} name="userId" label=${t('Person')} />
        <${Field} name="role" label=${t('Role')} hint=${t('A viewer reads the project and comments on its tasks.')} value="member" options=${roles()} />
      <//>`
    }
  </section>`
}

const roles = () => (['member', 'viewer'] as const).map((role) => [role, roleWords()[role]] as const)

function ChooseRole({ of, choose }: { of: ProjectMember; choose(role: Role): void }): View {
  return html`<select
    value=${of.role}
    aria-label=${t('Role of {name}', { name: nameOf(of) })}
    onChange=${(event: Event) => choose((event.target as HTMLSelectElement).value as Role)}
  >
    ${roles().map(([role, words]) => html`<option value=${role}>${words}</option>`)}
  </select>`
}
