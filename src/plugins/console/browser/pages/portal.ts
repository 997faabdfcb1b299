import { api, ifUnchanged, type PortalSection } from '../lib/api.ts'
import { useCommand } from '../lib/command.ts'
import { html, useEffect, useLayoutEffect, useRef, useState, type View } from '../lib/html.ts'
import { t } from '../lib/language.ts'
import { useLoad } from '../lib/load.ts'
import { useGuard } from '../lib/unsaved.ts'
import { Changed, type Facts, staleness, untilRead } from '../parts/edit.ts'
import { Form } from '../parts/form.ts'
import { say } from '../parts/notice.ts'
import { Page, Show } from '../parts/page.ts'
import { Editor } from './portal/editor.ts'
import { factsIn, isEqual, merge } from './portal/merge.ts'
import { Preview } from './portal/preview.ts'
import { type Section, sections } from './portal/shapes.ts'

/** What visitors read: `portal/home` and the other sections, each with its form and a preview. */
export default function Portal({ rest }: { rest: string }): View {
  const all = sections()
  const section = all.find(({ name }) => name === rest) ?? all[0]!
  return html`<${Page} title=${t('Portal')}>
    <ul class="tabs" aria-label=${t('Sections')}>
      ${all.map(
        ({ name, label }) => html`<li>
          <a href=${`/console/portal/${name}`} aria-current=${name === section.name ? 'page' : undefined}>${label}</a>
        </li>`,
      )}
    </ul>
    <${OneSection} key=${section.name} section=${section} />
  <//>`
}

interface Read {
  content: any
  call: object
}

function OneSection({ section: { name, label, shape, read } }: { section: Section }): View {
  const loaded = useLoad(async (): Promise<Read> => {
    const content = await read()
    return { content, call: ifUnchanged(`/api/v1/public/${name}`) }
  }, [name])
  const [base, setBase] = useState<any>()
  const [draft, setDraft] = useState<any>()
  const [before, setBefore] = useState<Facts>()
  const command = useCommand(
    () => api.replacePortalSection({ section: name, body: cleaned(draft) as PortalSection }, loaded.data!.call),
    () => {
      setBefore(undefined)
      // What was sent, so that what was written meanwhile is a change of it.
      setBase(draft)
      loaded.again()
      say(t('Saved'))
    },
  )
  // Before anything can be pressed: what is saved is merged with the version that the save names.
  useLayoutEffect(() => {
    if (!loaded.data) return
    const { content } = loaded.data
    setDraft((mine: any) => (base === undefined ? content : merge(base, mine, content)))
    setBase(content)
  }, [loaded.data])
  const sides = useRef<HTMLDivElement>(null)
  useGuard(sides, () => !isEqual(draft, base))
  const isStale = staleness(command.failure)
  useEffect(() => {
    if (!isStale) return
    setBefore(factsIn(base))
    loaded.again()
  }, [command.failure])
  return html`<${Show} of=${loaded}>${() =>
    draft !== undefined &&
    html`<div ref=${sides} class="beside">
      <${Form} command=${untilRead(command, loaded)} save=${t('Save')} isGuarded=${false}>
        <${Editor} shape=${shape} label=${label} path="" value=${draft} onChange=${setDraft} />
        ${before && html`<${Changed} address=${`/api/v1/content/portal/${name}`} before=${before} now=${factsIn(base)} isLoading=${loaded.isLoading} />`}
      <//>
      <section aria-label=${t('Preview')}>
        <h2>${t('Preview')}</h2>
        <${Preview} shape=${shape} value=${draft} />
      </section>
    </div>`}<//>`
}

/** Without empty lines, which only the field of many lines has. */
function cleaned(value: any): any {
  if (Array.isArray(value)) return value.filter((one) => one !== '').map(cleaned)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, cleaned(part)]))
}
