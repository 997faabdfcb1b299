import { store } from './store.ts'
import { mayGo } from './unsaved.ts'

/** Where the page is: the part of the address below `/console/`, and its query. */
export interface Place {
  /** such as `people/7` */
  path: string
  query: URLSearchParams
}

const BASE = '/console/'

export const place = store(read())

function read(): Place {
  return { path: location.pathname.slice(BASE.length).replace(/\/$/, ''), query: new URLSearchParams(location.search) }
}

/** Goes to an address, `people?keyword=ada`. `replace` leaves no step to go back to. */
export function go(to: string, { replace = false } = {}): void {
  history[replace ? 'replaceState' : 'pushState'](null, '', BASE + to)
  place.set(read())
}

/** Parts of the query by their names inside a component, which is drawn again when they change. */
export function useQuery<Name extends string>(...names: Name[]) {
  const { query } = place.use()
  return Object.fromEntries(names.map((name) => [name, query.get(name) || undefined])) as { [One in Name]?: string }
}

/** Changes parts of the query, and keeps the rest; empty ones are left out. */
export function setQuery(changes: Record<string, string | undefined>): void {
  const { path, query } = read()
  for (const [name, value] of Object.entries(changes)) {
    if (value) query.set(name, value)
    else query.delete(name)
  }
  go(query.size ? `${path}?${query}` : path, { replace: true })
}

/** Links of the page change the address without loading anything again, unless the person wants another tab. */
export function watchLinks(): void {
  addEventListener('popstate', () => {
    if (mayGo()) return place.set(read())
    // The browser has left the address already.
    const { path, query } = place.get()
    history.pushState(null, '', `${BASE}${path}${query.size ? `?${query}` : ''}`)
  })
  document.addEventListener('click', (event) => {
    const link = (event.target as Element).closest?.('a')
    const isPlain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey
    if (!link || !isPlain || link.target || link.hasAttribute('download')) return
    const url = new URL(link.href)
    if (url.origin !== location.origin || !url.pathname.startsWith(BASE)) return
    event.preventDefault()
    if (!mayGo()) return
    go(url.pathname.slice(BASE.length) + url.search)
    scrollTo(0, 0)
  })
}
