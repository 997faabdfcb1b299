import { AtriumError, isOutage, wordsOf } from '../lib/api.ts'
import { html, type View } from '../lib/html.ts'
import { t } from '../lib/language.ts'

/** What went wrong, in the service's own words; with the id that its log and audit know the request by. */
export function Failure({ of, again }: { of: unknown; again?: () => void }): View {
  if (!of) return null
  const isGone = of instanceof AtriumError && of.status === 404
  const isAway = isOutage(of) && of instanceof AtriumError && of.status < 400
  return html`<div class="failure" role="alert">
    <p>${isAway ? t('The service does not answer. This goes on by itself when it is back.') : wordsOf(of)}</p>
    ${of instanceof AtriumError && of.requestId && html`<p class="quiet">${t('Request {id}', { id: of.requestId })}</p>`}
    ${again && !isGone && html`<button type="button" onClick=${again}>${t('Try again')}</button>`}
  </div>`
}
