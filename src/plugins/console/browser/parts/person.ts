import { api, type User } from '../lib/api.ts'
import { html, useId, useLayoutEffect, useRef, useState, type View } from '../lib/html.ts'
import { t, timeText } from '../lib/language.ts'
import { nameOf } from '../lib/names.ts'
import type { FieldOptions } from './form.ts'
import { Badge } from './page.ts'
import { PAUSE_MS, useFound, useSuggestions } from './suggestions.ts'

/** The value that is sent is the person's id; '' for nobody. */
interface PersonOptions extends Pick<FieldOptions, 'name' | 'label' | 'hint' | 'autofocus' | 'required'> {
  value?: { id: number; name: string } | undefined
}

/** Whether something works or is disabled, in a word. */
export const statusWord = (status: string): string => (status === 'active' ? t('active') : t('disabled'))

/** Both words, as a field or a filter offers them. */
export const statusOptions = () =>
  (['active', 'disabled'] as const).map((status) => [status, statusWord(status)] as const)

/** Whether a person can sign in. */
export function PersonStatus({ of }: { of: { status: 'active' | 'disabled' } }): View {
  return html`<${Badge} kind=${of.status === 'active' ? 'good' : 'warn'}>${statusWord(of.status)}<//>`
}

/** When a person last signed in, in one line. */
export function LastSignIn({ of: { lastSignInAt } }: { of: User }): View {
  return html`<span class="one-line">${lastSignInAt ? timeText(lastSignInAt) : t('Never signed in')}</span>`
}

/**
 * A field for a person of the tenant: who types a part of a name chooses from those who match. It follows `value` until
 * somebody types in it.
 */
export function PersonField({ name, label, hint, value, autofocus, required }: PersonOptions): View {
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const isTouched = useRef(false)
  const [chosen, choose] = useState(value)
  const [keyword, look] = useState<string>()
  const people = useFound(keyword, (some, signal) =>
    api.listUserDirectory({ ...(some && { keyword: some }), pageSize: 8, page: 1 }, { signal }),
  )
  useLayoutEffect(() => {
    if (autofocus) input.current?.focus()
  }, [])
  useLayoutEffect(() => {
    if (isTouched.current) return
    choose(value)
    input.current!.value = value?.name ?? ''
  }, [value?.id])
  const take = (person: NonNullable<typeof people>[number]) => {
    choose({ id: person.id, name: nameOf(person) })
    look(undefined)
    input.current!.value = nameOf(person)
  }
  const type = () => {
    isTouched.current = true
    const text = input.current!.value.trim()
    if (!text) choose(undefined)
    look(text)
  }
  // Until somebody else is chosen, or the field is empty, it stands for whom it stood for, and says so when it is left.
  const showChosen = () => {
    // A field that is left because it goes away shows nothing any more.
    if (input.current) input.current.value = chosen?.name ?? ''
  }
  const { attributes, press, list } = useSuggestions({
    ...{ id, label, things: people ?? [], take },
    keyOf: (person) => person.id,
    wordsOf: (person) => html`${nameOf(person)} <span class="quiet">${person.username}</span>`,
  })
  const pressed = (event: KeyboardEvent) => {
    if (press(event)) return
    if (keyword !== undefined && ['Escape', 'Enter'].includes(event.key)) event.preventDefault()
    if (event.key === 'Escape') {
      showChosen()
      look(undefined)
    }
    if (event.key === 'ArrowDown' && keyword === undefined) type()
  }
  return html`<div class="field person">
    <label for=${id}>${label}</label>
    <input
      ...${attributes}
      ref=${input}
      aria-describedby=${`${id}-note`}
      required=${required}
      autofocus=${autofocus}
      defaultValue=${value?.name ?? ''}
      placeholder=${t('Type a part of the name')}
      onInput=${type}
      onKeyDown=${pressed}
      onBlur=${() => {
        showChosen()
        setTimeout(() => document.activeElement === input.current || look(undefined), PAUSE_MS)
      }}
    />
    <input type="hidden" name=${name} value=${chosen?.id ?? ''} />
    ${list}
    <div id=${`${id}-note`} class="note">
      ${hint && html`<span class="quiet">${hint}</span>`}
      ${people?.length === 0 && html`<span role="status">${t('Nobody was found.')}</span>`}
      <span data-note=${name} class="wrong" />
    </div>
  </div>`
}
