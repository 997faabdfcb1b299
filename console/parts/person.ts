import { api, type DirectoryEntry } from '../lib/api.ts'
import { html, useId, useLayoutEffect, useRef, useState, type View } from '../lib/html.ts'
import { t } from '../lib/language.ts'
import { useLoad } from '../lib/load.ts'
import { nameOf } from '../lib/names.ts'
import { Badge } from './page.ts'

interface PersonOptions {
  /** of the field whose value is the person's id; '' for nobody */
  name: string
  label: string
  hint?: string
  value?: { id: number; name: string } | undefined
  autofocus?: boolean
  required?: boolean
}

/** Whether a person can sign in. */
export function PersonStatus({ of }: { of: { status: 'active' | 'disabled' } }): View {
  const isActive = of.status === 'active'
  return html`<${Badge} kind=${isActive ? 'good' : 'warn'}>${isActive ? t('active') : t('disabled')}<//>`
}

const PAUSE_MS = 250

/** A field for a person of the tenant: who types a part of a name chooses from those who match. */
export function PersonField({ name, label, hint, value, autofocus, required }: PersonOptions): View {
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const [chosen, choose] = useState(value)
  const [keyword, look] = useState<string>()
  const [at, point] = useState(0)
  const found = useLoad(
    async (signal) => {
      if (keyword === undefined) return []
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
      if (signal.aborted) return []
      return api.listUserDirectory({ ...(keyword && { keyword }), pageSize: 8, page: 1 }, { signal })
    },
    [keyword],
  )
  useLayoutEffect(() => {
    if (autofocus) input.current?.focus()
  }, [])
  const people: DirectoryEntry[] = (keyword !== undefined && found.data) || []
  const take = (person: DirectoryEntry) => {
    choose({ id: person.id, name: nameOf(person) })
    look(undefined)
    input.current!.value = nameOf(person)
  }
  const type = () => {
    choose(undefined)
    point(0)
    look(input.current!.value.trim())
  }
  const press = (event: KeyboardEvent) => {
    if (event.key === 'Escape' && keyword !== undefined) event.preventDefault()
    if (event.key === 'Escape') return look(undefined)
    if (event.key === 'ArrowDown' && keyword === undefined) return type()
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step && people.length) {
      event.preventDefault()
      point((at + step + people.length) % people.length)
    }
    if (event.key === 'Enter' && people[at]) {
      event.preventDefault()
      take(people[at])
    }
  }
  return html`<div class="field person">
    <label for=${id}>${label}</label>
    <input
      id=${id}
      ref=${input}
      role="combobox"
      autocomplete="off"
      aria-autocomplete="list"
      aria-expanded=${people.length > 0}
      aria-controls=${`${id}-list`}
      aria-activedescendant=${people[at] ? `${id}-${people[at].id}` : undefined}
      aria-describedby=${`${id}-note`}
      required=${required}
      autofocus=${autofocus}
      defaultValue=${value?.name ?? ''}
      placeholder=${t('Type a part of the name')}
      onInput=${type}
      onKeyDown=${press}
      onBlur=${() => setTimeout(() => look(undefined), PAUSE_MS)}
    />
    <input type="hidden" name=${name} value=${chosen?.id ?? ''} />
    <ul id=${`${id}-list`} role="listbox" aria-label=${label} hidden=${people.length === 0}>
      ${people.map(
        (person, index) => html`<li
          key=${person.id}
          id=${`${id}-${person.id}`}
          role="option"
          aria-selected=${index === at}
          onMouseDown=${(event: Event) => event.preventDefault()}
          onClick=${() => take(person)}
        >
          ${nameOf(person)} <span class="quiet">${person.username}</span>
        </li>`,
      )}
    </ul>
    <div id=${`${id}-note`} class="note">
      ${hint && html`<span class="quiet">${hint}</span>`}
      ${keyword !== undefined && found.data && !found.isLoading && people.length === 0 && html`<span role="status">${t('Nobody was found.')}</span>`}
      <span data-note=${name} class="wrong" />
    </div>
  </div>`
}
