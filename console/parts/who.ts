import { html, useId, useRef, type View } from '../lib/html.ts'
import { t } from '../lib/language.ts'
import { type Person, signOut, signOutEverywhere } from '../lib/me.ts'
import { nameOf } from '../lib/names.ts'
import { mayGo } from '../lib/unsaved.ts'
import { sayFailure } from './notice.ts'

/** Who is signed in, and where; opened, it leads to their account and signs them out. */
export function Who({ person }: { person: Person }): View {
  const id = useId()
  const menu = useRef<HTMLElement>(null)
  const leave = (deed: () => Promise<void>) => () => {
    menu.current!.hidePopover()
    if (mayGo()) void deed().catch(sayFailure)
  }
  return html`<button type="button" class="who" popovertarget=${id}>
      <strong>${nameOf(person)}</strong> ${person.tenant && html`<span class="quiet">${person.tenant.name}</span>`}
    </button>
    <div id=${id} ref=${menu} popover class="sheet menu-of" onClick=${({ target }: Event) => (target as Element).closest('a') && menu.current!.hidePopover()}>
      <a href="/console/profile">${t('Profile')}</a>
      <a href="/console/sessions">${t('Sessions')}</a>
      <button type="button" onClick=${leave(signOut)}>${t('Sign out')}</button>
      <button type="button" onClick=${leave(signOutEverywhere)}>${t('Sign out everywhere')}</button>
    </div>` as View & { children?: unknown }
}
