import { type Children, html, useEffect, useState, type View } from '../lib/html.ts'
import { useLoad } from '../lib/load.ts'

/** So long a person pauses before the service is asked. */
export const PAUSE_MS = 250

/**
 * Finds what fits to a keyword once the person pauses, and nothing for undefined.
 * @returns undefined until it is found: what an older keyword has found is not offered for a new one
 */
export function useFound<Thing>(
  keyword: string | undefined,
  find: (keyword: string, signal: AbortSignal) => Promise<Thing[]>,
): Thing[] | undefined {
  const { data } = useLoad(
    async (signal) => {
      if (keyword === undefined) return undefined
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
      return signal.aborted ? undefined : { keyword, things: await find(keyword, signal) }
    },
    [keyword],
  )
  return data && data.keyword === keyword ? data.things : undefined
}

interface SuggestionsOptions<Thing> {
  /** of the input, which the list stands below */
  id: string
  label: string
  things: readonly Thing[]
  keyOf(thing: Thing): string | number
  wordsOf(thing: Thing): Children
  take(thing: Thing): void
}

/**
 * What fits to what somebody types into an input: the arrows choose, Enter takes, and the mouse does both.
 * @returns the attributes of the input, what handles its keys and says whether it did, and the list
 */
export function useSuggestions<Thing>({ id, label, things, keyOf, wordsOf, take }: SuggestionsOptions<Thing>) {
  const [at, point] = useState(0)
  useEffect(() => point(0), [things.length])
  const chosen = things[at]
  const idOf = (thing: Thing) => `${id}-${keyOf(thing)}`
  function press(event: KeyboardEvent): boolean {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    const isTaken = event.key === 'Enter' && chosen !== undefined
    if (!isTaken && !(step && things.length)) return false
    event.preventDefault()
    if (step) point((at + step + things.length) % things.length)
    else take(chosen!)
    return true
  }
  const attributes = {
    id,
    role: 'combobox',
    autocomplete: 'off',
    'aria-autocomplete': 'list',
    'aria-expanded': things.length > 0,
    'aria-controls': `${id}-list`,
    'aria-activedescendant': chosen && idOf(chosen),
  }
  const list: View = html`<ul id=${`${id}-list`} role="listbox" aria-label=${label} hidden=${things.length === 0}>
    ${things.map(
      (thing, index) => html`<li
        key=${keyOf(thing)}
        id=${idOf(thing)}
        role="option"
        aria-selected=${index === at}
        onMouseDown=${(event: Event) => event.preventDefault()}
        onClick=${() => take(thing)}
      >
        ${wordsOf(thing)}
      </li>`,
    )}
  </ul>`
  return { attributes, press, list }
}
