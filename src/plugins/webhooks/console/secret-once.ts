import { html, type View } from '#console/lib/html.ts'
import { t } from '#console/lib/language.ts'
import { Once } from '#console/parts/dialog.ts'

/** The secret that signs deliveries, when it was just made. */
export function SecretOnce({ value, onClose }: { value: string; onClose(): void }): View {
  return html`<${Once}
    title=${t('The secret of the webhook')}
    text=${t('Copy it into the other system now: with it, that system checks that a delivery is from here. It is shown only this once and kept nowhere.')}
    value=${value}
    onClose=${onClose}
  />`
}
