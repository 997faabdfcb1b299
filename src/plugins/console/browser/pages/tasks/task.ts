import { api, type Project, type Task, type TaskComment, type TaskStatus } from '../../lib/api.ts'
import { html, type View } from '../../lib/html.ts'
import { t, timeText } from '../../lib/language.ts'
import { useLoad, useRows } from '../../lib/load.ts'
import { may, me } from '../../lib/me.ts'
import { Confirm, FormDialog } from '../../parts/dialog.ts'
import { Field, type Values } from '../../parts/form.ts'
import { factList, Page, Show, Slot } from '../../parts/page.ts'
import { list } from '../../parts/table.ts'

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

export const statusWords = (): Record<TaskStatus, string> => ({
  TODO: t('to do'),
  IN_PROGRESS: t('under way'),
  BLOCKED: t('blocked'),
  DONE: t('done'),
  CANCELLED: t('cancelled'),
})

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

interface WriteOptions {
  /** the word on the button */
  word: string
  /** which comment it changes, for those who hear the page */
  about?: string
  /** what the comment says so far */
  content?: string
  act(content: string): Promise<unknown>
  then(): void
}

/** A button that opens a form for the text of a comment. */
function WriteComment({ word, about, content, act, then }: WriteOptions): View {
  return html`<${FormDialog}
    label=${word}
    about=${about}
    save=${t('Save')}
    act=${({ content: text = '' }: Values) => act(text)}
    then=${then}
  >
    <${Field} name="content" label=${t('Comment')} rows=${4} value=${content} autofocus required />
  <//>`
}
