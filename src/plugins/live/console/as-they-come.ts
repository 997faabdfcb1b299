import { api } from '#console/lib/api.ts'
import { html, useEffect, useState, type View } from '#console/lib/html.ts'
import { isPastEnd, sessionEnd } from '#console/lib/me.ts'
import { sayFailure } from '#console/parts/notice.ts'

/** Listens while the page is open and its person is signed in, and says the title of the last notification that came. */
export default function AsTheyCome({ again }: { again(): void }): View {
  const [title, setTitle] = useState('')
  const isSignedIn = sessionEnd.use() === undefined
  useEffect(() => {
    if (!isSignedIn) return
    const leaving = new AbortController()
    listen(leaving.signal).catch((failure) => isPastEnd(failure) || sayFailure(failure))
    return () => leaving.abort()

    async function listen(signal: AbortSignal) {
      let isFirst = true
      for await (const event of api.notifications({ signal })) {
        if (event.type === 'notification') setTitle(event.notification.title)
        // The first event stands for all that came before it, perhaps after the list was read.
        if (event.type !== 'unread-count' || isFirst) again()
        isFirst = false
      }
    }
  }, [isSignedIn])
  return html`<p class="hidden" role="status">${title}</p>`
}
