import { useEffect, useRef } from './html.ts'
import { t } from './language.ts'

interface Guarded {
  element: { current: Element | null }
  isUnsaved: { current: () => boolean }
}

const guarded = new Set<Guarded>()

/** Guards what a person types into an element, as long as the component is there. */
export function useGuard(element: Guarded['element'], isUnsaved: () => boolean): void {
  const latest = useRef(isUnsaved)
  latest.current = isUnsaved
  useEffect(() => {
    const one = { element, isUnsaved: latest }
    guarded.add(one)
    return () => void guarded.delete(one)
  }, [])
}

const isUnsaved = (within: Node) =>
  [...guarded].some(({ element, isUnsaved }) => within.contains(element.current) && isUnsaved.current())

/** Whether the page, or a part of it, may go: nothing in it is unsaved, or the person agrees to lose it. */
export function mayGo(within: Node = document): boolean {
  return !isUnsaved(within) || confirm(t('What you typed is not saved yet. Leave without saving it?'))
}

/** The browser asks before the page is reloaded or closed. */
export function watchUnload(): void {
  addEventListener('beforeunload', (event) => {
    if (isUnsaved(document)) event.preventDefault()
  })
}
