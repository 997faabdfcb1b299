import { api } from '#console/lib/api.ts'
import { html, useEffect, useState, type View } from '#console/lib/html.ts'

/** Listens while the page is open, and says the title of the last notification that came. */
export default function AsTheyCome({ again }: { again(): void }): View {
  const [title, setTitle] = useState('')
  useEffect(() => {
    const leaving = new AbortController()
    void listen(leaving.signal)
    return () => leaving.abort()

    async function listen(signal: AbortSignal) {
      for await (const event of api.notifications({ signal })) {
        if (event.type === 'unread-count') continue
        if (event.type === 'notification') setTitle(event.notification.title)
        again()
      }
    }
  }, [])
  return html`<p class="hidden" role="status">${title}</p>`
}
