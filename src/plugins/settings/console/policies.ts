import { api, type TenantSettings } from '#console/lib/api.ts'
import { html, type View } from '#console/lib/html.ts'
import { LANGUAGES, t, timeText } from '#console/lib/language.ts'
import { useLoad } from '#console/lib/load.ts'
import { may } from '#console/lib/me.ts'
import { Edit, factsOf } from '#console/parts/edit.ts'
import type { FieldOptions, Values } from '#console/parts/form.ts'
import { factList, Show } from '#console/parts/page.ts'

interface Choice extends FieldOptions {
  name: keyof TenantSettings
}

function choices(): Choice[] {
  const zones = Intl.supportedValuesOf('timeZone')
  return [
    {
      name: 'registration',
      label: t('Registration'),
      hint: t('Open: anybody who knows the address of the tenant can register themselves.'),
      options: [
        ['open', t('open')],
        ['closed', t('closed')],
      ],
    },
    { name: 'locale', label: t('Language of mail to people without an account'), options: Object.entries(LANGUAGES) },
    {
      name: 'timeZone',
      label: t('Time zone'),
      hint: t('Decides when a day begins: for reminders, substitutes and the daily mail.'),
      options: ['UTC', ...zones.filter((zone) => zone !== 'UTC')].map((zone) => [zone, zone] as const),
    },
    {
      name: 'secondFactor',
      label: t('Second factor'),
      hint: t('Required: people without one can do nothing until they have added one.'),
      options: [
        ['optional', t('optional')],
        ['required', t('required')],
      ],
    },
    {
      name: 'firstPassword',
      label: t('Passwords that an administrator has set'),
      options: [
        ['keep', t('can be kept')],
        ['change', t('have to be changed at the next sign-in')],
      ],
    },
    { name: 'passwordMinLength', label: t('Shortest password that people may choose'), type: 'number' },
    {
      name: 'sessionDays',
      label: t('Days until an unused session ends'),
      hint: t('A shorter time ends open sessions too; a longer one brings none back.'),
      type: 'number',
    },
    { name: 'invitationDays', label: t('Days for which an invitation is valid'), type: 'number' },
  ]
}

/** What holds for everybody in the tenant: who may register, how people sign in, and when a day begins. */
export default function Policies(): View {
  const settings = useLoad(() => api.getTenantSettings(), [])
  const fields = (now: TenantSettings) =>
    choices().map((choice): FieldOptions => ({ ...choice, value: now[choice.name] as string }))
  const save = (values: Values, { version }: TenantSettings) => {
    const body = Object.fromEntries(
      choices().map(({ name, type }) => [name, type === 'number' ? Number(values[name]) : values[name]]),
    )
    return api.updateTenantSettings({ body: { ...body, version } })
  }
  return html`<section>
    <h2>${t('Policies')}</h2>
    <${Show} of=${settings}>${(current: TenantSettings) => html`
      ${factList([
        [t('Plan'), current.plan],
        [t('Subscribed until'), current.expiredAt ? timeText(current.expiredAt) : t('without end')],
        ...(may('settings:manage') ? [] : factsOf(fields(current))),
      ])}
      ${
        may('settings:manage') &&
        html`<${Edit} of=${settings} address="/api/v1/tenant/settings" fields=${fields} save=${save} />`
      }
    `}<//>
  </section>`
}
