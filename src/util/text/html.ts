/** HTML that is safe to send. Only `html` makes it. */
export class Html {
  readonly #text: string
  private constructor(text: string) {
    this.#text = text
  }
  toString(): string {
    return this.#text
  }
  static of(parts: readonly string[], values: readonly Insertable[]): Html {
    return new Html(parts.reduce((text, part, at) => text + inserted(values[at - 1]) + part))
  }
}

type Insertable = string | number | Html | undefined | false | readonly (Html | false | undefined)[]

/** A template of HTML: what is inserted is escaped, unless it is HTML itself; undefined and false insert nothing. */
export function html(parts: TemplateStringsArray, ...values: Insertable[]): Html {
  return Html.of(parts, values)
}

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

function inserted(value: Insertable): string {
  if (Array.isArray(value)) return value.map(inserted).join('')
  if (value instanceof Html) return value.toString()
  if (value === undefined || value === false) return ''
  return String(value).replace(/[&<>"']/g, (letter) => ESCAPES[letter]!)
}
