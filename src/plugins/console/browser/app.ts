import type { Subject } from './extension.ts'
import { reconnect } from './lib/api.ts'
import { html, useEffect, useId, useRef, useState, type View } from './lib/html.ts'
import { keepLanguage, LANGUAGES, type Language, language, speak, t } from './lib/language.ts'
import { me, type Person, sessionEnd, signOut, signOutEverywhere } from './lib/me.ts'
import { nameOf } from './lib/names.ts'
import { PATIENCE_MS, reach } from './lib/reach.ts'
import { go, place } from './lib/router.ts'
import { THEMES, type Theme, theme, wear } from './lib/theme.ts'
import { mayGo } from './lib/unsaved.ts'
import { SignIn, SignInAgain } from './pages/sign-in.ts'
import { Failure, Notice, sayFailure } from './parts/notice.ts'
import { Page } from './parts/page.ts'
import { Palette } from './parts/palette.ts'
import { offered, subjects } from './subjects.ts'

/** The whole console: who is signed in, the navigation, and the page of the address. */
export function App(): View {
  const [, draw] = useState({})
  const person = me.use()
  const hasEnded = sessionEnd.use() !== undefined
  const choose = async (select: HTMLSelectElement) => {
    const wanted = select.value as Language
    keepLanguage(wanted)
    await speak(wanted).catch((failure) => {
      sayFailure(failure)
      select.value = language()
    })
    reconnect()
    draw({})
  }
  const themes = { system: t('System colours'), light: t('Light'), dark: t('Dark') }
  return html`
    <${Away} />
    <header>
      <a class="brand" href="/console/">Atrium</a>
      <div class="actions">
        <select aria-label=${t('Colours')} onChange=${(event: Event) => wear((event.target as HTMLSelectElement).value as Theme)}>
          ${THEMES.map((one) => html`<option value=${one} selected=${one === theme()}>${themes[one]}</option>`)}
        </select>
        <label class="hidden" for="language">${t('Language')}</label>
        <select id="language" onChange=${(event: Event) => void choose(event.target as HTMLSelectElement)}>
          ${Object.entries(LANGUAGES).map(
            ([code, name]) => html`<option value=${code} lang=${code} selected=${code === language()}>${name}</option>`,
          )}
        </select>
        ${person && !person.refusal && html`<${Palette} />`}
        ${person && html`<${Who} person=${person} />`}
      </div>
    </header>
    ${person ? html`<${SignedIn} key=${`${person.tenantId} ${person.id}`} person=${person} />` : html`<main>${person === null && html`<${SignIn} />`}</main>`}
    ${person && hasEnded && html`<${SignInAgain} person=${person} />`}
    <${Notice} />
  `
}

/** Who is signed in, and where; opened, it leads to their account and signs them out. */
function Who({ person }: { person: Person }): View {
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
    </div>`
}

function Away(): View {
  if (reach.use() === 'here') return null
  return html`<p class="away" role="status">${t('The service does not answer. This goes on by itself when it is back.')}</p>`
}

const GROUPS = [
  ['tenant', 'Tenant'],
  ['installation', 'Installation'],
  ['own', 'My account'],
] as const

function SignedIn({ person }: { person: Person }): View {
  const { path } = place.use()
  const [isMenuOpen, openMenu] = useState(false)
  const [hasDocs, offerDocs] = useState(false)
  const [first = '', ...rest] = path.split('/')
  const mine = offered(person)
  const below = rest.join('/')
  const current = subjects.find(({ path, below: known }) => path === first && (!below || known?.test(below)))
  useEffect(() => openMenu(false), [path])
  useEffect(
    () =>
      void fetch('/docs/', { method: 'HEAD' }).then(
        ({ ok }) => offerDocs(ok),
        () => {},
      ),
    [],
  )
  useEffect(() => {
    const isAstray = first === '' || (person.refusal && first !== mine[0]?.path)
    if (isAstray && mine[0]) go(mine[0].path, { replace: true })
  }, [first])
  return html`<div class="frame">
    <button type="button" class="menu" aria-expanded=${isMenuOpen} aria-controls="navigation" onClick=${() => openMenu(!isMenuOpen)}>${t('Menu')}</button>
    <nav id="navigation" class=${isMenuOpen ? 'open' : ''} aria-label=${t('Subjects')}>
      ${GROUPS.map(([group, name]) => {
        const links = mine.filter((subject) => subject.group === group)
        return (
          links.length > 0 &&
          html`<h2>${t(name)}</h2>
            <ul>
              ${links.map(
                (subject) => html`<li>
                  <a href=${`/console/${subject.path}`} aria-current=${subject === current ? 'page' : undefined}>${t(subject.name)}</a>
                </li>`,
              )}
            </ul>`
        )
      })}
      ${hasDocs && html`<p><a href="/docs/" target="_blank">${t('API')}</a></p>`}
    </nav>
    <main>
      ${
        !current
          ? first !== '' &&
            html`<${Page} title=${t('No such page')}><p>${t('There is no page at this address.')}</p><//>`
          : mine.includes(current)
            ? html`<${Lazy} key=${current.path} subject=${current} rest=${below} />`
            : html`<${Page} title=${t(current.name)}><p>${t('Your roles do not allow you to see this.')}</p><//>`
      }
    </main>
  </div>`
}

type PageModule = Awaited<ReturnType<Subject['load']>>

/** Loads the page of a subject, and shows it. */
function Lazy({ subject, rest }: { subject: Subject; rest: string }): View {
  const [loaded, setLoaded] = useState<{ page?: PageModule; failure?: unknown }>({})
  const isReachable = reach.use() === 'here'
  const wasAway = useRef(false)
  useEffect(() => {
    if (loaded.page) return
    if (!isReachable) {
      wasAway.current = true
      return
    }
    subject.load().then(
      (page) => setLoaded({ page }),
      (failure) => {
        setLoaded({ failure })
        if (!wasAway.current) reach.set('away')
      },
    )
    if (!wasAway.current) return
    // A browser does not ask again for a module whose request hangs, so the whole page asks again. Nothing is typed yet.
    const timer = setTimeout(() => location.reload(), PATIENCE_MS)
    return () => clearTimeout(timer)
  }, [isReachable, loaded.page])
  if (loaded.page) return html`<${loaded.page.default} rest=${rest} />`
  return html`<${Failure} of=${isReachable && loaded.failure} again=${() => location.reload()} />`
}
