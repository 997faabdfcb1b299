import { readFileSync } from 'node:fs'
import { isDeepStrictEqual } from 'node:util'
import type { z } from 'zod'
import type { Language } from '../kernel/words/sentence.ts'

const FILES: Record<Language, string> = { en: 'en.json', 'zh-CN': 'zh.json' }

/**
 * The texts of a domain: `en.json` and `zh.json` in its folder `texts`. The file of a language is read once, at its
 * first use, so a start reads none.
 *
 * @param folder `new URL('./texts/', import.meta.url)`
 * @param shape what each file holds, from the views that show it
 * @returns the texts in a language, as in the file. It throws an Error if that is missing or has another shape
 */
export function texts<Shape extends z.ZodType>(folder: URL, shape: Shape): (language: Language) => z.output<Shape> {
  const known = new Map<Language, z.output<Shape>>()
  return (language) => {
    if (!known.has(language)) {
      const said = JSON.parse(readFileSync(new URL(FILES[language], folder), 'utf8'))
      if (!isDeepStrictEqual(shape.parse(said), said))
        throw new Error(`${folder}${FILES[language]} is not what is shown`)
      known.set(language, said)
    }
    return known.get(language)!
  }
}
