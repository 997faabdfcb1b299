import { html, type View } from '../../lib/html.ts'
import { t } from '../../lib/language.ts'
import { Check, Field } from '../../parts/form.ts'
import type { Named, Shape } from './shapes.ts'

interface EditorOptions {
  shape: Shape
  label: string
  /** where the part stands in the request, such as `highlights.0.title` */
  path: string
  value: any
  onChange(value: any): void
}

/** The fields of a part of a section, whatever its shape. */
export function Editor({ shape, label, path, value, onChange }: EditorOptions): View {
  switch (shape.kind) {
    case 'line':
    case 'picture':
      return html`<${Field} name=${path} label=${label} value=${value} onInput=${onChange} />`
    case 'prose':
      return html`<${Field} name=${path} label=${label} rows=${3} value=${value} onInput=${onChange} />`
    case 'lines':
      return html`<${Field} name=${path} label=${label} rows=${4} value=${value.join('\n')} onInput=${(text: string) => onChange(text.split('\n'))} />`
    case 'number': {
      const take = (text: string) => onChange(text === '' ? null : Number(text))
      return html`<${Field} name=${path} label=${label} type="number" value=${value ?? ''} onInput=${take} />`
    }
    case 'flag':
      return html`<${Check} name=${path} label=${label} checked=${value} onChange=${onChange} />`
    case 'fields':
      return html`<${Fields} of=${shape.fields} path=${path} value=${value} onChange=${onChange} />`
    case 'list':
      return html`<${ListEditor} shape=${shape} label=${label} path=${path} value=${value} onChange=${onChange} />`
    default:
      return shape satisfies never
  }
}

const below = (path: string, name: string | number) => (path ? `${path}.${name}` : String(name))

interface FieldsOptions extends Pick<EditorOptions, 'path' | 'value' | 'onChange'> {
  of: Named[]
}

function Fields({ of, path, value, onChange }: FieldsOptions): View {
  return html`${of.map(
    ({ name, label, shape }) => html`<${Editor}
      key=${name}
      shape=${shape}
      label=${label}
      path=${below(path, name)}
      value=${value[name]}
      onChange=${(part: any) => onChange({ ...value, [name]: part })}
    />`,
  )}`
}

interface ListOptions extends Omit<EditorOptions, 'shape'> {
  shape: Extract<Shape, { kind: 'list' }>
  value: any[]
}

function ListEditor({ shape, label, path, value, onChange }: ListOptions): View {
  const add = () => {
    const id = shape.isNumbered ? { id: Math.max(0, ...value.map((one) => one.id)) + 1 } : {}
    onChange([...value, { ...id, ...shape.fresh }])
  }
  const swap = (at: number) =>
    onChange(value.map((one, index) => (index === at ? value[at + 1] : index === at + 1 ? value[at] : one)))
  return html`<fieldset>
    <legend>${label}</legend>
    ${value.map(
      (item, at) => html`<div key=${at} class="sheet">
        <${Fields}
          of=${shape.of}
          path=${below(path, at)}
          value=${item}
          onChange=${(changed: any) => onChange(value.map((one, index) => (index === at ? changed : one)))}
        />
        <div class="actions">
          <button type="button" aria-label=${t('Move number {number} up', { number: at + 1 })} disabled=${at === 0} onClick=${() => swap(at - 1)}>↑</button>
          <button type="button" aria-label=${t('Move number {number} down', { number: at + 1 })} disabled=${at === value.length - 1} onClick=${() => swap(at)}>↓</button>
          <button type="button" aria-label=${t('Remove number {number}', { number: at + 1 })} onClick=${() => onChange(value.filter((_, index) => index !== at))}>${t('Remove')}</button>
        </div>
      </div>`,
    )}
    ${value.length === 0 && html`<p class="quiet">${t('There is nothing here yet.')}</p>`}
    <div class="actions"><button type="button" onClick=${add}>${t('Add')}: ${label}</button></div>
  </fieldset>`
}
