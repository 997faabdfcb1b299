import { useState } from './html.ts'

/** A secret that is shown once. Nothing but the open dialog holds it. */
export function useShownOnce(): { value: string | undefined; show(value: string): void; hide(): void } {
  const [value, show] = useState<string>()
  return { value, show, hide: () => show(undefined) }
}
