import { api, type Responsibilities, type User } from '../../lib/api.ts'
import { html, type View } from '../../lib/html.ts'
import { numberText, t } from '../../lib/language.ts'
import { useLoad } from '../../lib/load.ts'
import { nameOf } from '../../lib/names.ts'
import { FormDialog } from '../../parts/dialog.ts'
import type { Values } from '../../parts/form.ts'
import { Empty, factList, Show } from '../../parts/page.ts'
import { PersonField } from '../../parts/person.ts'
import { subjects } from '../../subjects.ts'

const SHOWN = 20

/** What a person is responsible for, and passing all of it to somebody else. */
export function HandOver({ of: user }: { of: User }): View {
  const held = useLoad(() => api.listResponsibilities({ id: user.id }), [user.id])
  const words: Record<string, string> = { projects: t('Projects'), tasks: t('Tasks') }
  const nameOfKind = (kind: string) => words[kind] ?? t(subjects.find(({ path }) => path === kind)?.name ?? kind)
  return html`<section>
    <h2>${t('Responsibilities')}</h2>
    <${Show} of=${held}>${(now: Responsibilities) => {
      const kinds = Object.entries(now).filter(([, things]) => things.length > 0)
      if (kinds.length === 0)
        return html`<${Empty}><p>${t('Nothing depends on this person: they can be deleted.')}</p><//>`
      return html`
        ${factList(kinds.map(([kind, things]) => [`${nameOfKind(kind)} (${numberText(things.length)})`, listed(things)]))}
        <div class="actions">
          <${FormDialog}
            label=${t('Hand over')}
            text=${t('All of it passes to one person, who joins the projects and the department. {name} can then be deleted.', { name: nameOf(user) })}
            act=${({ toUserId }: Values) => api.handOver({ id: user.id, body: { toUserId: Number(toUserId) } })}
            said=${t('Everything was handed over.')}
            then=${held.again}
          >
            <${PersonField} name="toUserId" label=${t('To whom')} autofocus required />
          <//>
        </div>
      `
    }}<//>
  </section>`
}

function listed(things: readonly { name: string }[]): string {
  const names = things.slice(0, SHOWN).flatMap(({ name }) => (name ? [name] : []))
  return things.length > SHOWN ? `${names.join(', ')} …` : names.join(', ')
}
