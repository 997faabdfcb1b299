import { EVENT_TYPES } from '#console/lib/event-types.ts'
import { html, useState, type View } from '#console/lib/html.ts'
import { t } from '#console/lib/language.ts'
import { Check, tickedIn, type Values } from '#console/parts/form.ts'

const ALL = '*'

/** Which events a webhook is sent: all, or those that are ticked. `typesIn` reads them. */
export function TypeBoxes({ held }: { held: readonly string[] }): View {
  const [isAll, setAll] = useState(held.includes(ALL))
  // A domain from outside has types of its own.
  const types = [...new Set([...EVENT_TYPES, ...held.filter((type) => type !== ALL)])].sort()
  const subjects = [...new Set(types.map(subjectOf))]
  return html`<fieldset>
    <legend>${t('Events')}</legend>
    <${Check} name="all-types" label=${t('All events, also those of later versions')} checked=${isAll} onChange=${setAll} />
    ${
      !isAll &&
      subjects.map(
        (subject) => html`<div key=${subject}>
          <h3>${subject}</h3>
          <div class="boxes">
            ${types.filter((type) => subjectOf(type) === subject).map((type) => html`<${Check} key=${type} name=${`type-${type}`} label=${type} checked=${held.includes(type)} />`)}
          </div>
        </div>`,
      )
    }
    <div class="note"><span data-note="types" class="wrong" /></div>
  </fieldset>`
}

const subjectOf = (type: string) => type.split('.', 1)[0]!

/** The types that are ticked. */
export const typesIn = (values: Values): string[] => ('all-types' in values ? [ALL] : tickedIn(values, 'type'))
