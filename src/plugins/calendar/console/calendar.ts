import { api } from '#console/lib/api.ts'
import { useCommand } from '#console/lib/command.ts'
import { html, useState, type View } from '#console/lib/html.ts'
import { t } from '#console/lib/language.ts'
import { Confirm, Once } from '#console/parts/dialog.ts'
import { Form } from '#console/parts/form.ts'
import { Page } from '#console/parts/page.ts'

/** The due tasks of the person as a calendar, for the program that they use. */
export default function Calendar(): View {
  const [address, show] = useState<string>()
  const make = useCommand(
    () => api.createCalendarKey(),
    ({ url }) => show(url),
  )
  return html`<${Page} title=${t('Calendar')}>
    <section class="sheet">
      <p>${t('Your due tasks appear in the calendar program that you use, as soon as it subscribes to an address of your own.')}</p>
      <p class="quiet">${t('Anyone who has the address can read these tasks. It is shown once; a new one ends the one before.')}</p>
      <${Form}
        command=${make}
        save=${t('Make an address')}
        more=${html`<${Confirm}
          label=${t('End the address')}
          question=${t('Programs that subscribe to it are refused from now on.')}
          act=${() => api.removeCalendarKey()}
          said=${t('The address has ended.')}
        />`}
      />
    </section>
    ${address && html`<${Once} title=${t('The address of your calendar')} text=${t('Subscribe to it in your calendar program. It is not shown again.')} value=${address} onClose=${() => show(undefined)} />`}
  <//>`
}
