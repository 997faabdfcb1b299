import { api, type Project, type Task, type TaskComment } from '../../lib/api.ts'
import { html, type View } from '../../lib/html.ts'
import { t, timeText } from '../../lib/language.ts'
import { useLoad, useRows } from '../../lib/load.ts'
import { may, me } from '../../lib/me.ts'
import { Confirm } from '../../parts/dialog.ts'
import { factList, Page, Show, Slot } from '../../parts/page.ts'
import { list } from '../../parts/table.ts'
import { statusWords } from './words.ts'
import { WriteComment } from './write-comment.ts'

/** One task: what is known of it, and what was said about it. */
export function OneTask({ id }: { id: number }): View {
  const found = useLoad(async () => {
    const task = await api.getTask({ id })
    return { task, project: await api.getProject({ id: task.projectId }) }
  }, [id])
  if (!found.data) return html`<${Page} title=${t('Tasks')}><${Show} of=${found}>${() => null}<//><//>`
  const { task, project } = found.data
  return html`<${Page} title=${task.title} actions=${html`<${Slot} name="task" of=${task} />`}>
    ${factList([
      [t('Project'), html`<a href=${`/console/projects/${project.id}`}>${project.name}</a>`],
      [t('Status'), statusWords()[task.status]],
      [t('Assignee'), task.assigneeName ?? '–'],
      [t('Reporter'), task.reporterName],
      [t('Due'), task.dueDate ?? '–'],
    ])}
    ${task.description && html`<p class="text">${task.description}</p>`}
    <${Comments} of=${task} project=${project} />
  <//>`
}

function Comments({ of: { id }, project }: { of: Task; project: Project }): View {
  const comments = useRows((signal) => api.each.listTaskComments({ id }, { signal }), [id])
  const isMine = ({ authorId }: TaskComment) => authorId === me.get()?.id
  const mayDelete = (one: TaskComment) => isMine(one) || project.ownerId === me.get()?.id || may('project:manage')
  const actions = (one: TaskComment) => {
    const place = { id, commentId: one.id }
    const about = `${one.authorName}, ${timeText(one.createdAt)}`
    return html`
      ${
        isMine(one) &&
        html`<${WriteComment}
          word=${t('Edit')}
          about=${about}
          content=${one.content}
          act=${(content: string) => api.editTaskComment({ ...place, body: { content } })}
          then=${comments.again}
        />`
      }
      ${
        mayDelete(one) &&
        html`<${Confirm}
          label=${t('Delete')}
          about=${about}
          question=${t('Its text is deleted for everybody. That cannot be undone.')}
          act=${() => api.deleteTaskComment(place)}
          said=${t('The comment is deleted.')}
          then=${comments.again}
        />`
      }
    `
  }
  return html`<div class="head">
      <h2>${t('Comments')}</h2>
      <div class="actions">
        <${WriteComment}
          word=${t('Comment')}
          act=${(content: string) => api.addTaskComment({ id, body: { content } })}
          then=${comments.again}
        />
      </div>
    </div>
    ${list({
      of: comments,
      caption: t('Comments'),
      empty: html`<p class="quiet">${t('Nobody has said anything yet.')}</p>`,
      columns: [
        { title: t('Author'), of: ({ authorName }) => authorName },
        {
          title: t('Comment'),
          of: ({ content, editedAt, deletedAt }) =>
            deletedAt
              ? html`<span class="quiet">${t('deleted')}</span>`
              : html`<span class="text">${content}</span> ${editedAt && html`<span class="quiet">(${t('edited')})</span>`}`,
        },
        { title: t('When'), isTime: true, of: ({ createdAt }) => timeText(createdAt) },
        { title: t('Actions'), of: (one) => !one.deletedAt && actions(one) },
      ],
    })}`
}
