import { type Command, useCommand } from '../lib/command.ts'
import { type Children, html, useLayoutEffect, useRef, useState, type View } from '../lib/html.ts'
import { t } from '../lib/language.ts'
import { mayGo } from '../lib/unsaved.ts'
import { Form, type Values } from './form.ts'
import { Failure, say } from './notice.ts'

interface DialogOptions {
  title: string
  onClose(): void
  children: Children
  /** what goes when it is closed; by default what it shows */
  takes?: Node
}

/**
 * A dialog over the page. Escape closes it, after a question where something is typed, and the focus returns to where it
 * was.
 */
export function Dialog({ title, onClose, children, takes }: DialogOptions): View {
  const dialog = useRef<HTMLDialogElement>(null)
  // Before the next key: until the dialog is open, Enter would press the button that opened it once more.
  useLayoutEffect(() => {
    const before = document.activeElement as HTMLElement | null
    dialog.current!.showModal()
    return () => before?.focus()
  }, [])
  const mayClose = () => mayGo(takes ?? dialog.current!)
  return html`<dialog ref=${dialog} onCancel=${(event: Event) => mayClose() || event.preventDefault()} onClose=${onClose} aria-label=${title}>
    <div class="head">
      <h2>${title}</h2>
      <button type="button" class="plain" onClick=${() => mayClose() && dialog.current!.close()}>${t('Close')}</button>
    </div>
    ${children}
  </dialog>`
}

interface DeedOptions<Input extends unknown[], Answer> {
  /** the word on the button that opens the dialog */
  label: string
  /** what it is about, if there are several such buttons: for those who hear the page */
  about?: string
  act(...input: Input): Promise<Answer>
  /** what is said when it is done */
  said?: string
  then?(answer: Answer): void
  /** when the dialog is closed after a refusal */
  refused?(): void
}

/** A button that opens a dialog, and the command of the dialog, which is closed when it is done. */
function useDeed<Input extends unknown[], Answer>(deed: DeedOptions<Input, Answer>) {
  const { label, about, act, said, then, refused } = deed
  const [isOpen, open] = useState(false)
  const command = useCommand(act, (answer) => {
    open(false)
    if (said) say(said)
    then?.(answer)
  })
  const close = () => {
    if (command.failure) refused?.()
    command.clear()
    open(false)
  }
  const button = html`<button type="button" aria-label=${about && `${label}: ${about}`} onClick=${() => open(true)}>${label}</button>`
  return { isOpen, command, close, button }
}

interface ConfirmOptions extends DeedOptions<[], unknown> {
  /** what will happen, and whether it can be undone */
  question: string
  /** the word on the button that does it; by default that on the button that asks */
  yes?: string
}

/** A button for what cannot be undone: it asks first. */
export function Confirm({ question, yes, ...deed }: ConfirmOptions): View {
  const { isOpen, command, close, button } = useDeed(deed)
  const { label } = deed
  return html`${button}
    ${
      isOpen &&
      html`<${Question} title=${label} question=${question} yes=${yes ?? label} of=${command} act=${() => void command.run()} onClose=${close} />`
    }`
}

interface QuestionOptions {
  title: string
  question: string
  /** the word on the button that does it */
  yes: string
  of: Pick<Command<never>, 'isBusy' | 'failure'>
  act(): void
  onClose(): void
}

/** Asks before something is done, and says why it could not be. */
export function Question({ title, question, yes, of: { isBusy, failure }, act, onClose }: QuestionOptions): View {
  return html`<${Dialog} title=${title} onClose=${onClose}>
    <p>${question}</p>
    <${Failure} of=${failure} />
    <div class="actions">
      <button type="button" class="danger" aria-disabled=${isBusy} onClick=${() => isBusy || act()}>${yes}</button>
      <button type="button" onClick=${onClose}>${t('Cancel')}</button>
    </div>
  <//>`
}

interface FormDialogOptions<Answer> extends DeedOptions<[Values], Answer> {
  text?: string
  /** the word on the button that sends the form; by default that on the button that opens it */
  save?: string
  /** the fields */
  children: Children
}

/** A button that opens a form. */
export function FormDialog<Answer>({ text, save, children, ...deed }: FormDialogOptions<Answer>): View {
  const { isOpen, command, close, button } = useDeed(deed)
  const { label } = deed
  return html`${button}
    ${
      isOpen &&
      html`<${Dialog} title=${label} onClose=${close}>
        ${text && html`<p>${text}</p>`}
        <${Form} command=${command} save=${save ?? label}>${children}<//>
      <//>`
    }`
}

interface OnceOptions {
  title: string
  text: string
  value: string
  onClose(): void
}

/** A secret that is shown once: it is kept nowhere, and gone when the dialog is closed. */
export function Once({ title, text, value, onClose }: OnceOptions): View {
  const [isCopied, copied] = useState(false)
  const copy = () => void navigator.clipboard.writeText(value).then(() => copied(true))
  return html`<${Dialog} title=${title} onClose=${onClose}>
    <p>${text}</p>
    <p><output class="secret">${value}</output></p>
    <div class="actions">
      <button type="button" class="main" onClick=${copy}>${isCopied ? t('Copied') : t('Copy')}</button>
    </div>
  <//>`
}
