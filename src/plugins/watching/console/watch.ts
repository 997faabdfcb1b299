import { useCommand } from '#console/lib/command.ts'
import { html, type View } from '#console/lib/html.ts'
import { t } from '#console/lib/language.ts'
import { useLoad } from '#console/lib/load.ts'
import { Failure } from '#console/parts/notice.ts'

interface WatchOptions {
  /** of what is watched */
  id: number
  isWatched(): Promise<boolean>
  watch(): Promise<unknown>
  unwatch(): Promise<unknown>
}

/** A button to watch something, or to stop. */
export function Watch({ id, isWatched, watch, unwatch }: WatchOptions): View {
  const found = useLoad(isWatched, [id])
  const command = useCommand(() => (found.data ? unwatch() : watch()), found.again)
  const isReady = found.data !== undefined
  return html`<${Failure} of=${command.failure} />
    <button type="button" aria-pressed=${found.data ?? false} aria-disabled=${!isReady} onClick=${() => isReady && void command.run()}>
      ${t('Watch')}
    </button>`
}
