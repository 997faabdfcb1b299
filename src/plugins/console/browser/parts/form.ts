import { AtriumError, wordsOf } from '../lib/api.ts'
import type { Command } from '../lib/command.ts'
import { type Children, html, useId, useLayoutEffect, useRef, type View } from '../lib/html.ts'
import { t } from '../lib/language.ts'
import { useGuard } from '../lib/unsaved.ts'
import { Failure } from './notice.ts'

/** The fields of a form by their names; an empty text is ''. */
export type Values = Record<string, string>

interface FormOptions {
  /** receives what was typed, and a function that tells whether the form still holds that */
  command: Command<[Values, isAsSent: () => boolean]>
  /** the word on the button */
  save: string
  children: Children
  /** what else can be done, beside the button */
  more?: Children
  /** whether the person is asked before what they typed is lost; by default they are */
  isGuarded?: boolean
}

/**
 * A form. Its fields are named after those of the request, so that a refusal stands beside the field that it is about,
 * and the first of these gets the focus. What is typed is not lost without a question.
 */
export function Form({ command, save, children, more, isGuarded = true }: FormOptions): View {
  const form = useRef<HTMLFormElement>(null)
  const touches = useRef(0)
  useGuard(form, () => isGuarded && touches.current > 0)
  useLayoutEffect(() => {
    for (const field of fieldsOf(form.current)) {
      const message = messageFor(command.failure, field.name)
      const note = form.current!.querySelector(`[data-note="${field.name}"]`)
      field.setAttribute('aria-invalid', String(message !== undefined))
      if (note) note.textContent = message ?? ''
    }
    form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [command.failure])
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    if (command.isBusy) return
    const data = new FormData(form.current!)
    const values = Object.fromEntries([...data].filter(([, value]) => typeof value === 'string')) as Values
    const sent = touches.current
    const isAsSent = () => touches.current === sent
    void command.run(values, isAsSent).then((isDone) => {
      if (isDone && isAsSent()) touches.current = 0
    })
  }
  const isBesideField = fieldsOf(form.current).some(({ name }) => messageFor(command.failure, name) !== undefined)
  const touch = () => {
    touches.current++
  }
  return html`<form ref=${form} onSubmit=${submit} onInput=${touch} novalidate>
    ${children}
    ${!isBesideField && html`<${Failure} of=${command.failure} />`}
    <div class="actions">
      <button type="submit" class="main" aria-disabled=${command.isBusy}>${command.isBusy ? t('Working…') : save}</button>
      ${more}
    </div>
  </form>`
}

type FieldElement = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement

function fieldsOf(form: HTMLFormElement | null): FieldElement[] {
  return form ? [...form.querySelectorAll<FieldElement>('input[name], select[name], textarea[name]')] : []
}

/** What a refusal says of a field. */
function messageFor(failure: unknown, name: string): string | undefined {
  if (!(failure instanceof AtriumError)) return undefined
  const found = failure.details.find(({ path }) => path === `body.${name}` || path?.startsWith(`body.${name}.`))
  return (
    found && (failure.details.length === 1 && failure.type !== 'VALIDATION_FAILED' ? wordsOf(failure) : found.message)
  )
}

/** A field as data. */
export interface FieldOptions {
  name: string
  label: string
  hint?: string
  type?: 'text' | 'password' | 'email' | 'url' | 'number' | 'date' | 'tel'
  value?: string | number | null | undefined
  /** for an input: such as `current-password` */
  autocomplete?: string
  /** more than one line */
  rows?: number
  /** one of these: value and words */
  options?: readonly (readonly [value: string, words: string])[]
  required?: boolean
  autofocus?: boolean
  inputmode?: string
  /** receives what is typed; `value` then decides what the field shows */
  onInput?(text: string): void
}

/** One field with its label, what to know of it, and a place for what is wrong with it. */
export function Field({ name, label, hint, type = 'text', value, rows, options, ...more }: FieldOptions): View {
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  useLayoutEffect(() => {
    if (more.autofocus) input.current?.focus()
  }, [])
  const shown = more.onInput
    ? { value: value ?? '', onInput: (event: Event) => more.onInput!((event.target as HTMLInputElement).value) }
    : { defaultValue: value ?? '' }
  const common = {
    id,
    name,
    ref: input,
    'aria-describedby': `${id}-note`,
    required: more.required,
    autofocus: more.autofocus,
  }
  return html`<div class="field">
    <label for=${id}>${label}</label>
    ${
      options
        ? html`<select ...${common}>
            ${withValue(options, value).map(([each, words]) => html`<option value=${each} defaultSelected=${each === String(value ?? '')}>${words}</option>`)}
          </select>`
        : rows
          ? html`<textarea ...${common} rows=${rows} ...${shown} />`
          : html`<input ...${common} type=${type} ...${shown} autocomplete=${more.autocomplete ?? 'off'} inputmode=${more.inputmode} />`
    }
    <div id=${`${id}-note`} class="note">
      ${hint && html`<span class="quiet">${hint}</span>`}
      <span data-note=${name} class="wrong" />
    </div>
  </div>`
}

/** A value that is none of the options stays one: otherwise the browser would choose the first option in its place. */
function withValue(options: NonNullable<FieldOptions['options']>, value: FieldOptions['value']) {
  const text = String(value ?? '')
  return !text || options.some(([each]) => each === text) ? options : [[text, text] as const, ...options]
}

/** Of the boxes that are ticked, those of a kind: `role-7` is the `7` of `role`. A form has one value for each name. */
export function tickedIn(values: Values, kind: string): string[] {
  const start = `${kind}-`
  return Object.keys(values).flatMap((name) => (name.startsWith(start) ? [name.slice(start.length)] : []))
}

interface CheckOptions {
  name: string
  label: string
  checked?: boolean
  /** receives each change; `checked` then decides what the box shows */
  onChange?: (checked: boolean) => void
}

/** A box to tick. */
export function Check({ name, label, checked = false, onChange }: CheckOptions): View {
  const shown = onChange
    ? { checked, onChange: (event: Event) => onChange((event.target as HTMLInputElement).checked) }
    : { defaultChecked: checked }
  return html`<label class="check">
    <input type="checkbox" name=${name} ...${shown} />
    <span>${label}</span>
  </label>`
}
