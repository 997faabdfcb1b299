import { api, type Task, type Watcher } from '#console/lib/api.ts'
import { useCommand } from '#console/lib/command.ts'
import { html, type View } from '#console/lib/html.ts'
import { t } from '#console/lib/language.ts'
import { useLoad } from '#console/lib/load.ts'
import { me } from '#console/lib/me.ts'
import { Failure } from '#console/parts/notice.ts'

/** A button to watch a task, or to stop. */
export default function WatchTask({ of: { id } }: { of: Task }): View {
  const watchers = useLoad(() => Array.fromAsync(api.each.listTaskWatchers({ id })) as Promise<Watcher[]>, [id])
  const isWatching = watchers.data?.some(({ userId }) => userId === me.get()?.id) ?? false
  const command = useCommand(
    () => (isWatching ? api.unwatchTask({ id }) : api.watchTask({ id })),
    () => watchers.again(),
  )
  return html`<${Failure} of=${command.failure} />
    <button type="button" aria-pressed=${isWatching} aria-disabled=${!watchers.data} onClick=${() => watchers.data && void command.run()}>
      ${t('Watch')}
    </button>`
}
