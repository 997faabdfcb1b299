import { PATIENCE_MS } from './reach.ts'

/** The language of the page. English is written where it is used; the other languages are tables of it. */
export const LANGUAGES = { en: 'English', 'zh-CN': '中文' } as const
export type Language = keyof typeof LANGUAGES

const KEPT = 'atrium.language'

let current: Language = 'en'
let words: Record<string, string> = {}

export const language = (): Language => current

/** The language that was chosen before, or else the browser's. */
export function preferredLanguage(): Language {
  const wanted = localStorage.getItem(KEPT) ?? navigator.language
  return wanted.toLowerCase().startsWith('zh') ? 'zh-CN' : 'en'
}

let asked = 0

/** Loads the words of a language. The page has to be drawn again afterwards. Of several languages the last one counts. */
export async function speak(wanted: Language): Promise<void> {
  const turn = ++asked
  const [loaded] = await Promise.allSettled([wanted === 'en' ? {} : wordsIn(wanted)])
  if (turn !== asked) return
  if (loaded.status === 'rejected') throw loaded.reason
  words = loaded.value
  current = wanted
  document.documentElement.lang = wanted
}

async function wordsIn(wanted: Language): Promise<typeof words> {
  const signal = AbortSignal.timeout(PATIENCE_MS)
  return (await fetch(`/console/assets/console/texts/${wanted}.json`, { signal })).json()
}

/** Keeps the choice for the next visit. */
export function keepLanguage(wanted: Language): void {
  localStorage.setItem(KEPT, wanted)
}

/** Hebrew, Arabic and their neighbours would turn the words around them; the marks of Unicode keep them apart. */
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u
const isolated = (fact: string) => (RIGHT_TO_LEFT.test(fact) ? `\u2068${fact}\u2069` : fact)

/** A sentence in the language of the page; `{name}` is replaced by the fact of that name. */
export function t(sentence: string, facts: Record<string, string | number> = {}): string {
  const said = words[sentence] ?? sentence
  return said.replace(/\{(\w+)\}/g, (whole, name) => isolated(String(facts[name] ?? whole)))
}

/** An instant as people of the page's language write it: where one line is too short, the time is below the day. */
export function timeText(
  instant: string,
  how: Intl.DateTimeFormatOptions = { dateStyle: 'medium', timeStyle: 'short' },
) {
  return new Intl.DateTimeFormat(current, how).format(new Date(instant)).replace(/ (?!\d+:)/g, '\u00a0')
}

export const WITH_SECONDS = { dateStyle: 'medium', timeStyle: 'medium' } as const

/** Small ones are the same in every language, and need nothing that the browser has to load first. */
export const numberText = (value: number) =>
  Number.isInteger(value) && value >= 0 && value < 1000 ? String(value) : new Intl.NumberFormat(current).format(value)

/** Writes numbers in the language of the page, such as `{ style: 'percent' }`. */
export const format = (options: Intl.NumberFormatOptions) => (value: number) =>
  new Intl.NumberFormat(current, options).format(value)

/** A number of bytes in the unit that people would use. */
export function bytesText(bytes: number): string {
  const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte']
  const power = Math.min(Math.floor(Math.log10(Math.max(bytes, 1)) / 3), units.length - 1)
  const format = {
    style: 'unit',
    unit: units[power]!,
    maximumFractionDigits: 1,
    unitDisplay: power ? 'short' : 'long',
  } as const
  return new Intl.NumberFormat(current, format).format(bytes / 1000 ** power)
}
