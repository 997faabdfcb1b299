import type { Goal } from '../extension.ts'
import { extensions } from '../extensions.ts'
import { api } from '../lib/api.ts'
import { html, useEffect, useId, useRef, useState, type View } from '../lib/html.ts'
import { t } from '../lib/language.ts'
import { may, me } from '../lib/me.ts'
import { nameOf } from '../lib/names.ts'
import { go } from '../lib/router.ts'
import { mayGo } from '../lib/unsaved.ts'
import { offered } from '../subjects.ts'
import { Dialog } from './dialog.ts'
import { useFound, useSuggestions } from './suggestions.ts'

const MOST = 6
const TYPING = 'input, select, textarea, [contenteditable]'

/** Ctrl+K, or `/` outside of a field: goes to any page, person or request by some letters of its name. */
export function Palette(): View {
  const [isOpen, open] = useState(false)
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const isSlash = event.key === '/' && !(event.target as Element).matches(TYPING)
      const isCtrlK = event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey)
      if ((!isSlash && !isCtrlK) || document.querySelector('dialog[open]')) return
      event.preventDefault()
      open(true)
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [])
  const find = t('Find')
  return html`<button type="button" aria-keyshortcuts="Control+K" title=${`${find} (Ctrl+K)`} onClick=${() => open(true)}>${find}</button>
    ${isOpen && html`<${Dialog} title=${t('Go to')} onClose=${() => open(false)}><${Search} close=${() => open(false)} /><//>`}`
}

function Search({ close }: { close(): void }): View {
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const [keyword, look] = useState('')
  const found = useFound(keyword || undefined, findGoals)
  const label = t('Page, person or request')
  const { attributes, press, list } = useSuggestions<Goal>({
    ...{ id, label, things: [...pages(keyword), ...(found ?? [])] },
    keyOf: ({ path }) => path,
    wordsOf: ({ name, kind }) => html`${name} <span class="quiet">${kind}</span>`,
    take({ path }) {
      if (!mayGo()) return
      close()
      go(path)
    },
  })
  return html`<div class="field person">
    <label for=${id}>${label}</label>
    <input ...${attributes} ref=${input} type="search" autofocus onInput=${() => look(input.current!.value.trim())} onKeyDown=${press} />
    ${list}
  </div>`
}

const finders = extensions.flatMap((extension) => extension.finders ?? [])

const pages = (keyword: string): Goal[] =>
  offered(me.get()!)
    .map(({ path, name }) => ({ path, name: t(name), kind: t('Page') }))
    .filter(({ name }) => name.toLowerCase().includes(keyword.toLowerCase()))
    .slice(0, MOST)

/** What the service finds. */
async function findGoals(keyword: string, signal: AbortSignal): Promise<Goal[]> {
  const some = { keyword, page: 1, pageSize: MOST }
  const [people, requests, others] = await Promise.all([
    may('user:list') ? api.listUserDirectory(some, { signal }) : [],
    may('approval:action') ? api.listApprovals({ ...some, scope: 'all' }, { signal }) : [],
    Promise.all(finders.map(async ({ load }) => (await load()).default(keyword, signal))),
  ])
  const goals: Goal[] = [
    ...people.map((one) => ({ path: `people/${one.id}`, name: nameOf(one), kind: t('Person') })),
    ...requests.map(({ id, title }) => ({ path: `approvals/${id}`, name: title, kind: t('Approval request') })),
    ...others.flat(),
  ]
  return [...new Map(goals.map((goal) => [goal.path, goal])).values()]
}
