import { AtriumError, isOutage, wordsOf } from '../lib/api.ts'
import { html, useEffect, type View } from '../lib/html.ts'
import { t } from '../lib/language.ts'
import { store } from '../lib/store.ts'

interface Message {
  text: string
  failure?: unknown
  undo?: (() => Promise<unknown>) | undefined
}
const message = store<Message | undefined>(undefined)

/** Says what has happened, at the bottom of the page; `undo` offers to take it back. */
export function say(text: string, { undo }: Pick<Message, 'undo'> = {}): void {
  message.set({ text, undo })
}

/** Says that something was refused that no form asked for. */
export function sayFailure(failure: unknown): void {
  message.set({ text: '', failure })
}

/** Takes the message away, such as that to the person before. */
export const unsay = (): void => message.set(undefined)

const SHOWN_MS = 8000

/** The place of the message. */
export function Notice(): View {
  const current = message.use()
  useEffect(() => {
    // What can be taken back is not gone before somebody has read so.
    if (!current || current.failure || current.undo) return
    const timer = setTimeout(() => message.get() === current && unsay(), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [current])
  const undo = () => {
    unsay()
    void current!.undo!().then(() => say(t('Undone')), sayFailure)
  }
  return html`<div class="notice" role="status">
    ${
      current &&
      html`<div class="sheet">
        ${current.failure ? html`<${Failure} of=${current.failure} />` : html`<p>${current.text}</p>`}
        <div class="actions">
          ${current.undo && html`<button type="button" onClick=${undo}>${t('Undo')}</button>`}
          <button type="button" class="plain" onClick=${unsay}>${t('Close')}</button>
        </div>
      </div>`
    }
  </div>`
}

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
