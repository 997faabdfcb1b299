import type { Slots } from '../extension.ts'
import { type Children, html, useEffect, useLayoutEffect, useRef, type View } from '../lib/html.ts'
import { t } from '../lib/language.ts'
import { type Loaded, useLoad } from '../lib/load.ts'
import { me } from '../lib/me.ts'
import { offered, partsIn } from '../subjects.ts'
import { Failure } from './notice.ts'

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

interface Pages {
  all(): View
  fresh?(): View
  one(given: { id: number }): View
}

/** The pages of a subject, as `people`, `people/new` and `people/7` name them. */
export const pages =
  ({ all, fresh, one }: Pages) =>
  ({ rest }: { rest: string }): View => {
    if (rest === 'new' && fresh) return html`<${fresh} />`
    return rest ? html`<${one} key=${rest} id=${Number(rest)} />` : html`<${all} />`
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

type Fact = readonly [label: string, value: Children]

/** What is known of a thing, each with its label. What is false or null is left out. */
export function factList(facts: readonly (Fact | false | '' | null | undefined)[]): View {
  return html`<dl class="facts">
    ${facts.map((fact) => fact && html`<dt>${fact[0]}</dt><dd>${fact[1]}</dd>`)}
  </dl>`
}

interface BadgeOptions {
  kind?: 'plain' | 'good' | 'warn' | 'bad'
  children: Children
}

/** A short word of state, such as "active". */
export function Badge({ kind = 'plain', children }: BadgeOptions): View {
  return html`<span class=${`badge ${kind}`}>${children}</span>`
}

/** What extensions show at a place of a page of the core; nothing where none has anything to show. */
export function Slot<Name extends keyof Slots>({ name, ...given }: { name: Name } & Slots[Name]): View {
  const parts = useLoad(() => Promise.all(partsIn(name).map(({ load }) => load())), [])
  return html`
    <${Failure} of=${parts.failure} again=${parts.again} />
    ${parts.data?.map((part) => html`<${part.default} ...${given} />`) ?? html`<span aria-busy=${parts.isLoading} />`}
  `
}

/** Links to the pages of extensions, on a page of the core. @param on the address of the page, such as `people` */
export function Links({ on }: { on: string }): View {
  const links = offered(me.get()!).flatMap(({ path, links = [] }) =>
    links.filter((link) => link.on === on).map(({ to, name }) => ({ name, to: to ? `${path}/${to}` : path })),
  )
  return html`${links.map(({ name, to }) => html`<a class="button" href=${`/console/${to}`}>${t(name)}</a>`)}`
}
