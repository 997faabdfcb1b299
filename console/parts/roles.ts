import type { Role } from '../lib/api.ts'
import { html, type View } from '../lib/html.ts'
import { t } from '../lib/language.ts'
import { Check, type Values } from './form.ts'

/** The roles that somebody is to hold, as boxes; `roleIdsIn` reads them. */
export function RoleBoxes({ all, held }: { all: readonly Role[]; held: readonly string[] }): View {
  return html`<fieldset>
    <legend>${t('Roles')}</legend>
    <div class="boxes">
      ${all.map(({ id, code, name }) => html`<${Check} key=${id} name=${`role-${id}`} label=${name} checked=${held.includes(code)} />`)}
    </div>
    <div class="note"><span data-note="roleIds" class="wrong" /></div>
  </fieldset>`
}

/** Boxes are sent as `role-7`, because a form has one value for each name. */
export function roleIdsIn(values: Values): number[] {
  return Object.keys(values).flatMap((name) => (name.startsWith('role-') ? [Number(name.slice(5))] : []))
}
