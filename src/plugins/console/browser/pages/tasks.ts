import type { WholeList } from '../extension.ts'
import { api, type ListedTask, type Project } from '../lib/api.ts'
import { html, type View } from '../lib/html.ts'
import { t, timeText } from '../lib/language.ts'
import { useLoad, useRows } from '../lib/load.ts'
import { may, me } from '../lib/me.ts'
import { place } from '../lib/router.ts'
import { Confirm } from '../parts/dialog.ts'
import { Filter, Filters, Search } from '../parts/filters.ts'
import { say, sayFailure } from '../parts/notice.ts'
import { Badge, Page, pages } from '../parts/page.ts'
import { list } from '../parts/table.ts'
import { OneTask, statusWords } from './tasks/task.ts'

/** The tasks of a project, or of all that one sees, and the bin of a project; one task with its comments: `tasks/7`. */
export default pages({ all: Found, one: OneTask })

function Found(): View {
  const { query } = place.use()
  const [projectId, keyword] = [Number(query.get('projectId')) || undefined, query.get('keyword') || undefined]
  const inBin = projectId !== undefined && query.get('deleted') === 'true'
  const projects = useLoad((signal) => Array.fromAsync(api.each.listProjects({}, { signal })), [])
  const whole: WholeList =
    projectId === undefined
      ? { operation: 'listAllTasks', filters: { keyword } }
      : { operation: 'listTasks', filters: { id: projectId, keyword, deleted: inBin || undefined } }
  const tasks = useRows<ListedTask>(
    (signal) => api.each[whole.operation as 'listTasks'](whole.filters as never, { signal }),
    [projectId, keyword, inBin],
  )
  const projectOf = ({ projectId: id }: ListedTask) => projects.data?.find((project: Project) => project.id === id)
  const mayDelete = (task: ListedTask) =>
    may('task:update') && (may('project:manage') || [task.reporterId, projectOf(task)?.ownerId].includes(me.get()?.id))
  return html`<${Page} title=${t('Tasks')}>
    <${Filters}>
      <${Search} label=${t('Find tasks')} />
      <${Filter} name="projectId" label=${t('Project')} all=${t('All')} options=${(projects.data ?? []).map(({ id, name }: Project) => [String(id), name])} />
      ${
        projectId !== undefined &&
        html`<${Filter} name="deleted" label=${t('Show')} options=${[['false', t('Tasks')], ['true', t('Bin')]]} />`
      }
    <//>
    ${list({
      of: tasks,
      caption: inBin ? t('Bin') : t('Tasks'),
      whole,
      empty: inBin
        ? t('There is nothing in the bin of this project. A deleted task stays there for 30 days.')
        : t('There are no such tasks.'),
      columns: [
        {
          title: t('Task'),
          of: ({ id, title }) => (inBin ? title : html`<a href=${`/console/tasks/${id}`}>${title}</a>`),
        },
        { title: t('Project'), of: (task) => projectOf(task)?.name ?? '–' },
        { title: t('Assignee'), of: ({ assigneeName }) => assigneeName ?? '–' },
        { title: t('Status'), of: ({ status }) => html`<${Badge}>${statusWords()[status]}<//>` },
        inBin
          ? { title: t('Deleted'), of: ({ deletedAt, deletedByName }) => `${timeText(deletedAt!)}, ${deletedByName}` }
          : { title: t('Due'), of: ({ dueDate }) => dueDate ?? '–' },
        {
          title: t('Actions'),
          of: (task) => mayDelete(task) && html`<${inBin ? Restore : Delete} of=${task} then=${tasks.again} />`,
        },
      ],
    })}
  <//>`
}

interface Deed {
  of: ListedTask
  then(): void
}

function Delete({ of: { id, version, title }, then }: Deed): View {
  return html`<${Confirm}
    label=${t('Delete')}
    about=${title}
    question=${t('{title} goes into the bin of its project, and nobody works on it any more. It can be restored for 30 days.', { title })}
    act=${() => api.deleteTask({ id, version })}
    then=${() => {
      say(t('{name} was deleted.', { name: title }), { undo: () => api.restoreTask({ id }).finally(then) })
      then()
    }}
  />`
}

function Restore({ of: { id, title }, then }: Deed): View {
  const restore = () =>
    api
      .restoreTask({ id })
      .then(() => say(t('{title} was restored.', { title })), sayFailure)
      .finally(then)
  return html`<button type="button" aria-label=${`${t('Restore')}: ${title}`} onClick=${restore}>${t('Restore')}</button>`
}
