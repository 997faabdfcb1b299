import { type Children, html, useEffect, useLayoutEffect, useRef, type View } from '../lib/html.ts'
import { t } from '../lib/language.ts'
import type { Loaded } from '../lib/load.ts'
import { Failure } from './failure.ts'

/** One page: its heading, which has the focus after a change of page, what can be done, and the content. */
export function Page({ title, actions, children }: { title: string; actions?: Children; children?: Children }): View {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    document.title = `${title} · Atrium`
  }, [title])
  useLayoutEffect(() => {
    // A form has already put the focus into its first field.
    const isInside = heading.current!.closest('article')!.contains(document.activeElement)
    if (!isInside) heading.current!.focus({ preventScroll: true })
  }, [])
  return html`<article>
    <div class="head">
      <h1 tabindex="-1" ref=${heading}>${title}</h1>
      ${actions && html`<div class="actions">${actions}</div>`}
    </div>
    ${children}
  </article>`
}

/** Shows what was loaded; before that that it is being loaded, or why it could not be. */
export function Show<Data>({ of, children }: { of: Loaded<Data>; children: (data: Data) => Children }): View {
  return html`
    <${Failure} of=${of.failure} again=${of.again} />
    ${
      of.data === undefined
        ? of.isLoading && html`<p class="quiet" role="status">${t('Loading…')}</p>`
        : html`<div aria-busy=${of.isLoading}>${children(of.data)}</div>`
    }
  `
}

/** A place where nothing is yet: what it is for, and what to do first. */
export function Empty({ children }: { children: Children }): View {
  return html`<div class="empty">${children}</div>`
}

/** A short word of state, such as "active". */
export function Badge({
  kind = 'plain',
  children,
}: {
  kind?: 'plain' | 'good' | 'warn' | 'bad'
  children: Children
}): View {
  return html`<span class=${`badge ${kind}`}>${children}</span>`
}
