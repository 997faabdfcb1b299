import { api } from '../lib/api.ts'
import { deviceOf } from '../lib/device.ts'
import { html, type View } from '../lib/html.ts'
import { t, timeText } from '../lib/language.ts'
import { useRows } from '../lib/load.ts'
import { Confirm } from '../parts/dialog.ts'
import { Badge, Page } from '../parts/page.ts'
import { list } from '../parts/table.ts'

/** Where the person is signed in. */
export default function Sessions(): View {
  const sessions = useRows(() => api.each.listSessions(), [])
  const others = sessions.data?.some(({ current }) => !current)
  return html`<${Page}
    title=${t('Sessions')}
    actions=${
      others &&
      html`<${Confirm}
        label=${t('End all others')}
        question=${t('Everywhere else you have to sign in again.')}
        act=${() => api.endOtherSessions()}
        said=${t('All other sessions have ended.')}
        then=${sessions.again}
      />`
    }
  >
    <p class="quiet">${t('If you do not know one of them, end it and change your password.')}</p>
    ${list({
      of: sessions,
      caption: t('Sessions'),
      empty: null,
      columns: [
        {
          title: t('Device'),
          of: ({ userAgent, current }) =>
            html`${deviceOf(userAgent)} ${current && html`<${Badge} kind="good">${t('this one')}<//>`}`,
        },
        { title: t('Network address'), of: ({ ip }) => ip },
        { title: t('Signed in'), isTime: true, of: ({ createdAt }) => timeText(createdAt) },
        { title: t('Last seen'), isTime: true, of: ({ lastSeenAt }) => timeText(lastSeenAt) },
        {
          title: t('Actions'),
          of: ({ id, current, userAgent }) =>
            !current &&
            html`<${Confirm}
              label=${t('End')}
              about=${deviceOf(userAgent)}
              question=${t('{device} has to sign in again.', { device: deviceOf(userAgent) })}
              act=${() => api.endSession({ id })}
              said=${t('The session has ended.')}
              then=${sessions.again}
            />`,
        },
      ],
    })}
  <//>`
}
