import { api, type Task, type Watcher } from '#console/lib/api.ts'
import { html, type View } from '#console/lib/html.ts'
import { me } from '#console/lib/me.ts'
import { Watch } from './watch.ts'

export default function WatchTask({ of: { id } }: { of: Task }): View {
  const isWatched = async () => {
    const watchers: Watcher[] = await Array.fromAsync(api.each.listTaskWatchers({ id }))
    return watchers.some(({ userId }) => userId === me.get()?.id)
  }
  return html`<${Watch} id=${id} isWatched=${isWatched} watch=${() => api.watchTask({ id })} unwatch=${() => api.unwatchTask({ id })} />`
}
