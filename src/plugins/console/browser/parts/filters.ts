import { type Children, html, useId, type View } from '../lib/html.ts'
import { t } from '../lib/language.ts'
import { place, setQuery } from '../lib/router.ts'

/** What a list is narrowed by. Each filter stands in the query of the address, so that the address can be sent on. */
export function Filters({ children }: { children: Children }): View {
  return html`<div class="filters">${children}</div>`
}

/** A text to look for, `?keyword=`. */
export function Search({ label, placeholder }: { label: string; placeholder?: string }): View {
  const keyword = place.use().query.get('keyword') ?? ''
  const search = (event: SubmitEvent) => {
    event.preventDefault()
    setQuery({ keyword: String(new FormData(event.target as HTMLFormElement).get('keyword')) })
  }
  return html`<form role="search" class="actions" onSubmit=${search} key=${keyword}>
    <input type="search" name="keyword" aria-label=${label} placeholder=${placeholder ?? label} defaultValue=${keyword} />
    <button type="submit">${t('Find')}</button>
  </form>`
}

interface FilterOptions {
  /** of the parameter in the query */
  name: string
  label: string
  options: readonly (readonly [value: string, words: string])[]
  /** the word for no filter; without one, the first option stands for none */
  all?: string
}

/** One of some values, `?status=active`. */
export function Filter({ name, label, options, all }: FilterOptions): View {
  const id = useId()
  const chosen = place.use().query.get(name) ?? ''
  const first = options[0]?.[0]
  const choose = (event: Event) => {
    const { value } = event.target as HTMLSelectElement
    setQuery({ [name]: all === undefined && value === first ? undefined : value })
  }
  return html`<div class="filter">
    <label for=${id}>${label}</label>
    <select id=${id} onChange=${choose}>
      ${all !== undefined && html`<option value="" selected=${chosen === ''}>${all}</option>`}
      ${options.map(([value, words]) => html`<option value=${value} selected=${value === chosen}>${words}</option>`)}
    </select>
  </div>`
}
