import { api, type Project, type Watched } from '#console/lib/api.ts'
import { html, type View } from '#console/lib/html.ts'
import { Watch } from './watch.ts'

export default function WatchProject({ of: { id } }: { of: Project }): View {
  const isWatched = async () => {
    const watched: Watched[] = await Array.fromAsync(api.each.listMyWatching({}))
    return watched.some(({ resourceType, resourceId }) => resourceType === 'project' && resourceId === id)
  }
  return html`<${Watch} id=${id} isWatched=${isWatched} watch=${() => api.watchProject({ id })} unwatch=${() => api.unwatchProject({ id })} />`
}
