import { api, type Notification } from '../lib/api.ts'
import { useCommand } from '../lib/command.ts'
import { type Children, html, type View } from '../lib/html.ts'
import { t, timeText } from '../lib/language.ts'
import { useRows } from '../lib/load.ts'
import { me } from '../lib/me.ts'
import { place, setQuery } from '../lib/router.ts'
import { Failure } from '../parts/notice.ts'
import { Badge, Page, Slot } from '../parts/page.ts'
import { list } from '../parts/table.ts'
import { pageOf } from '../subjects.ts'

/** What has happened for the person. */
export default function Notifications(): View {
  const onlyUnread = place.use().query.get('unread') === 'true'
  const mine = useRows(() => api.each.listNotifications(onlyUnread ? { read: false } : {}), [onlyUnread])
  const read = useCommand((id: number) => api.markNotificationRead({ id }), mine.again)
  const readAll = useCommand(() => api.markAllNotificationsRead(), mine.again)
  const isUnread = mine.data?.some(({ read }) => !read)
  return html`<${Page}
    title=${t('Notifications')}
    actions=${isUnread && html`<button type="button" onClick=${() => void readAll.run()}>${t('Mark all as read')}</button>`}
  >
    <div class="actions" role="group" aria-label=${t('Which')}>
      <button type="button" aria-pressed=${!onlyUnread} onClick=${() => setQuery({ unread: undefined })}>${t('All')}</button>
      <button type="button" aria-pressed=${onlyUnread} onClick=${() => setQuery({ unread: 'true' })}>${t('Unread')}</button>
    </div>
    <${Slot} name="notifications" again=${mine.again} />
    <${Failure} of=${read.failure ?? readAll.failure} />
    ${list({
      of: mine,
      caption: t('Notifications'),
      empty: onlyUnread
        ? t('You have read everything.')
        : t('Nothing has happened yet. What concerns you appears here by itself.'),
      columns: [
        {
          title: t('What'),
          of: ({ title, content, read, ...about }) =>
            html`<${Subject} of=${about}>${read ? title : html`<strong>${title}</strong>`}<//> ${!read && html`<${Badge} kind="warn">${t('new')}<//>`}
              ${content && html`<div class="quiet">${content}</div>`}`,
        },
        { title: t('When'), isTime: true, of: ({ createdAt }) => timeText(createdAt) },
        {
          title: t('Actions'),
          of: ({ id, title, read: isRead }) =>
            !isRead &&
            html`<button type="button" aria-label=${t('Mark as read: {title}', { title })} onClick=${() => void read.run(id)}>${t('Mark as read')}</button>`,
        },
      ],
    })}
  <//>`
}

interface SubjectOptions {
  of: Pick<Notification, 'resourceType' | 'resourceId'>
  children: Children
}

/** Leads to what a notification is about, for those who are offered its page. */
function Subject({ of: { resourceType, resourceId }, children }: SubjectOptions): View {
  const page = pageOf(me.get()!, resourceType, resourceId)
  return page ? html`<a href=${`/console/${page}`}>${children}</a>` : html`<span>${children}</span>`
}
