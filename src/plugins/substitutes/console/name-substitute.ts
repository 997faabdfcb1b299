import { api, type User } from '#console/lib/api.ts'
import { dayOf } from '#console/lib/days.ts'
import { html, type View } from '#console/lib/html.ts'
import { t } from '#console/lib/language.ts'
import { nameOf } from '#console/lib/names.ts'
import { FormDialog } from '#console/parts/dialog.ts'
import { Field, type Values } from '#console/parts/form.ts'
import { say } from '#console/parts/notice.ts'
import { PersonField } from '#console/parts/person.ts'

/** Somebody who decides what waits for a person, from a day to another. */
export default function NameSubstitute({ of: user }: { of: User }): View {
  return html`<${FormDialog}
    label=${t('Name a substitute')}
    text=${t('In these days the substitute may decide what waits for {name}.', { name: nameOf(user) })}
    save=${t('Save')}
    act=${({ userId, from = '', until = '' }: Values) => api.setSubstitute({ id: user.id, body: { userId: Number(userId), from, until } })}
    then=${({ name }: { name: string }) => say(t('{name} is the substitute.', { name }))}
  >
    <${PersonField} name="userId" label=${t('Substitute')} autofocus required />
    <${Days} />
  <//>`
}

/** Both today at first: on the day when the form is opened, which may be after that of the page. */
function Days(): View {
  const today = dayOf(Date.now())
  return html`<${Field} name="from" label=${t('First day')} type="date" value=${today} required />
    <${Field} name="until" label=${t('Last day')} type="date" value=${today} required />`
}
