import htm from 'htm'
import { type ComponentChildren, h, type VNode } from 'preact'

export { render } from 'preact'
export { useEffect, useId, useLayoutEffect, useRef, useState } from 'preact/hooks'

/** What a component returns. */
export type View = VNode<any> | null
export type Children = ComponentChildren

/** Markup as a template: `` html`<p class=${name}>${text}</p>` ``. Values are inserted as text, never as markup. */
export const html = (htm as any).bind(h) as (strings: TemplateStringsArray, ...values: unknown[]) => VNode<any>

/** A name or an address that a narrow column breaks behind a dot, a hyphen or an @, and not inside a word. */
export function breakable(text: string | null): Children {
  return text?.split(/(?<=[.@_-])/).flatMap((part, at) => (at === 0 ? part : [html`<wbr />`, part]))
}
