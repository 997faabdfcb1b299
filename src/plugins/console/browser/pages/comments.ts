import { api, type ModeratedComment } from '../lib/api.ts'
import { html, type View } from '../lib/html.ts'
import { t, timeText } from '../lib/language.ts'
import { useRows } from '../lib/load.ts'
import { useQuery } from '../lib/router.ts'
import { Confirm } from '../parts/dialog.ts'
import { Filter, Filters } from '../parts/filters.ts'
import { Named } from '../parts/named.ts'
import { say, sayFailure } from '../parts/notice.ts'
import { Badge, Page } from '../parts/page.ts'
import { list } from '../parts/table.ts'

/** The comments of the public blog, to hide and to show again. */
export default function Comments(): View {
  const filters = useQuery('status')
  const comments = useRows((signal) => api.each.listComments(filters as object, { signal }), Object.values(filters))
  const set = (id: number, to: ModeratedComment['status']) =>
    api.moderateBlogComment({ id, body: { status: to } }).finally(comments.again)
  const toggle = ({ id, status: before }: ModeratedComment) => {
    const isHidden = before === 'hidden'
    void set(id, isHidden ? 'published' : 'hidden').then(
      () =>
        say(isHidden ? t('The comment is shown again.') : t('The comment is hidden.'), { undo: () => set(id, before) }),
      sayFailure,
    )
  }
  return html`<${Page} title=${t('Comments')}>
    <${Filters}>
      <${Filter} name="status" label=${t('Status')} all=${t('All')} options=${[
        ['published', t('published')],
        ['hidden', t('hidden')],
      ]} />
    <//>
    ${list({
      of: comments,
      caption: t('Comments'),
      nameOf: ({ username, createdAt }) => `${username}, ${timeText(createdAt)}`,
      deeds: [
        {
          word: t('Hide'),
          question: t('Readers do not see them any more. You can show them again.'),
          fits: ({ status: now }) => now === 'published',
          act: ({ id }) => api.moderateBlogComment({ id, body: { status: 'hidden' } }),
        },
        {
          word: t('Show again'),
          question: t('Readers see them again.'),
          fits: ({ status: now, deletedAt }) => now === 'hidden' && !deletedAt,
          act: ({ id }) => api.moderateBlogComment({ id, body: { status: 'published' } }),
        },
      ],
      empty: t('There are no such comments. Readers of the blog who have signed in can write some.'),
      columns: [
        {
          title: t('Comment'),
          of: ({ content, editedAt }) =>
            html`<span class="text">${content}</span> ${editedAt && content && html`<span class="quiet">(${t('edited')})</span>`}`,
        },
        { title: t('Author'), of: ({ username }) => username },
        { title: t('About'), of: ({ articleId }) => html`<${Named} kind="article" id=${articleId} />` },
        { title: t('When'), isTime: true, of: ({ createdAt }) => timeText(createdAt) },
        {
          title: t('Status'),
          of: ({ status: now, deletedAt }) =>
            deletedAt
              ? html`<${Badge} kind="bad">${t('deleted')}<//>`
              : html`<${Badge} kind=${now === 'published' ? 'good' : 'warn'}>${now === 'published' ? t('published') : t('hidden')}<//>`,
        },
        {
          title: t('Actions'),
          of: (one) =>
            !one.deletedAt &&
            html`<button type="button" onClick=${() => toggle(one)}>${one.status === 'hidden' ? t('Show again') : t('Hide')}</button>
              <${Confirm}
                label=${t('Delete')}
                about=${`${one.username}, ${timeText(one.createdAt)}`}
                question=${t('Its text is deleted for everybody. That cannot be undone.')}
                act=${() => api.deleteBlogComment({ id: one.articleId, commentId: one.id })}
                said=${t('The comment is deleted.')}
                then=${comments.again}
              />`,
        },
      ],
    })}
  <//>`
}
