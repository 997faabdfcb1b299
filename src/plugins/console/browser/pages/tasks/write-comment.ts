import { useCommand } from '../../lib/command.ts'
import { html, useState, type View } from '../../lib/html.ts'
import { t } from '../../lib/language.ts'
import { Dialog } from '../../parts/dialog.ts'
import { Field, Form, type Values } from '../../parts/form.ts'

interface WriteOptions {
  /** the word on the button */
  word: string
  /** which comment it changes, for those who hear the page */
  about?: string
  /** what the comment says so far */
  content?: string
  act(content: string): Promise<unknown>
  then(): void
}

/** A button that opens a form for the text of a comment. */
export function WriteComment({ word, about, content, act, then }: WriteOptions): View {
  const [isOpen, open] = useState(false)
  const command = useCommand(
    ({ content = '' }: Values) => act(content),
    () => {
      open(false)
      then()
    },
  )
  const close = () => {
    command.clear()
    open(false)
  }
  return html`<button type="button" aria-label=${about && `${word}: ${about}`} onClick=${() => open(true)}>${word}</button>
    ${
      isOpen &&
      html`<${Dialog} title=${word} onClose=${close}>
        <${Form} command=${command} save=${t('Save')}>
          <${Field} name="content" label=${t('Comment')} rows=${4} value=${content} autofocus required />
        <//>
      <//>`
    }`
}
