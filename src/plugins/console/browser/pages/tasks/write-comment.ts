import { html, type View } from '../../lib/html.ts'
import { t } from '../../lib/language.ts'
import { FormDialog } from '../../parts/dialog.ts'
import { Field, type Values } from '../../parts/form.ts'

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
  return html`<${FormDialog}
    label=${word}
    about=${about}
    save=${t('Save')}
    act=${({ content: text = '' }: Values) => act(text)}
    then=${then}
  >
    <${Field} name="content" label=${t('Comment')} rows=${4} value=${content} autofocus required />
  <//>`
}
