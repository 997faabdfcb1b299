import { type Children, html, type View } from '../../lib/html.ts'
import type { Named, Shape } from './shapes.ts'

/** How a section reads on the portal, without the design that a front end gives it. */
export function Preview({ shape, value }: { shape: Shape; value: any }): View {
  return html`<div class="preview">${part(shape, value)}</div>`
}

function part(shape: Shape, value: any): Children {
  switch (shape.kind) {
    case 'line':
    case 'prose':
      return html`<p class="text">${value}</p>`
    case 'picture':
      return /^\/(api|public)\//.test(value) ? html`<img src=${value} alt="" />` : html`<p class="quiet">${value}</p>`
    case 'lines':
      return html`<ul>
        ${value.map((line: string) => line && html`<li>${line}</li>`)}
      </ul>`
    // The amount to pay is not shown: the price is printed as a text.
    case 'number':
      return null
    case 'flag':
      return value ? html`<p>★</p>` : null
    case 'fields':
      return shape.fields.map((field) =>
        isPlain(field)
          ? part(field.shape, value[field.name])
          : html`<h3>${field.label}</h3>${part(field.shape, value[field.name])}`,
      )
    case 'list':
      return html`<div class="cards">
        ${value.map(
          (item: any) => html`<div class="sheet">
            ${shape.of.map(({ name, shape: inner }, at) => (at === 0 ? html`<strong>${item[name]}</strong>` : part(inner, item[name])))}
          </div>`,
        )}
      </div>`
    default:
      return shape satisfies never
  }
}

const isPlain = ({ shape }: Named) => shape.kind !== 'list' && shape.kind !== 'fields'
