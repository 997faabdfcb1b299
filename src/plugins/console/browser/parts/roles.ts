import type { Role } from '../lib/api.ts'
import { html, useState, type View } from '../lib/html.ts'
import { numberText, t } from '../lib/language.ts'
import { Check, tickedIn, type Values } from './form.ts'

interface RoleBoxesOptions {
  all: readonly Role[]
  /** the codes of the roles that are ticked at first */
  held: readonly string[]
  legend?: string
  onChange?(role: Role, isChosen: boolean): void
}

/** Of more roles than this, those that are ticked or looked for are shown. */
const MOST = 12

/** Some roles, as boxes; `roleIdsIn` reads them. Of many, the person finds the one they want by its name. */
export function RoleBoxes({ all, held, legend = t('Roles'), onChange }: RoleBoxesOptions): View {
  const [keyword, look] = useState('')
  const [touched, touch] = useState<ReadonlyMap<number, boolean>>(new Map())
  const isChosen = ({ id, code }: Role) => touched.get(id) ?? held.includes(code)
  const fits = ({ name, code }: Role) => `${name} ${code}`.toLowerCase().includes(keyword.toLowerCase())
  const chosen = all.filter(isChosen)
  const others = all.filter((role) => !isChosen(role) && fits(role))
  const shown = new Set([...chosen, ...others.slice(0, Math.max(MOST - chosen.length, MOST / 2))])
  const change = (role: Role) => (isTicked: boolean) => {
    touch(new Map(touched).set(role.id, isTicked))
    onChange?.(role, isTicked)
  }
  return html`<fieldset>
    <legend>${legend}</legend>
    ${
      all.length > MOST &&
      html`<input type="search" aria-label=${t('Find a role')} placeholder=${t('Find a role')} onInput=${(event: Event) => look((event.target as HTMLInputElement).value)} />
        <p class="quiet" role="status">${t('{count} of {total} roles are shown.', { count: numberText(shown.size), total: numberText(all.length) })}</p>`
    }
    <div class="boxes">
      ${all
        .filter((role) => shown.has(role))
        .map(
          (role) =>
            html`<${Check} key=${role.id} name=${`role-${role.id}`} label=${role.name} checked=${isChosen(role)} onChange=${change(role)} />`,
        )}
    </div>
    <div class="note"><span data-note="roleIds" class="wrong" /></div>
  </fieldset>`
}

/** The ids of the roles that are ticked. */
export const roleIdsIn = (values: Values): number[] => tickedIn(values, 'role').map(Number)
