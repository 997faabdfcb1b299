import { api, type User } from '#console/lib/api.ts'
import { html, type View } from '#console/lib/html.ts'
import { t } from '#console/lib/language.ts'
import { nameOf } from '#console/lib/names.ts'
import { Confirm } from '#console/parts/dialog.ts'

/** Takes the second factor off somebody who has lost it. */
export default function Reset({ of: user }: { of: User }): View {
  return html`<${Confirm}
    label=${t('Reset the second factor')}
    question=${t('{name} has lost the phone and the recovery codes: they sign in with the password alone until they add a new second factor. They get a mail about it.', { name: nameOf(user) })}
    yes=${t('Reset')}
    act=${() => api.takeOffSecondFactor({ id: user.id })}
    said=${t('The second factor was reset.')}
  />`
}
