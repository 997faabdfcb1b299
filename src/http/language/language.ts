import fp from 'fastify-plugin'
import { LRUCache } from 'lru-cache'
import { LANGUAGES, type Language } from '../../kernel/words/sentence.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** the language that its reader understands best */
    readonly language: Language
  }
  interface FastifyReply {
    /** Declares that the answer is in the language of its reader, and returns that language. */
    inLanguage(): Language
  }
}

/** Browsers send one of few headers. */
const known = new LRUCache<string, Language>({ max: 500 })
function languageOf(accepted: string): Language {
  const language = known.get(accepted) ?? languageFor(accepted)
  known.set(accepted, language)
  return language
}

/** Determines the language of each reader. */
export const language = fp(
  async (app) => {
    app.decorateRequest('language', {
      getter() {
        return languageOf(this.headers['accept-language'] ?? '')
      },
    })
    app.decorateReply('inLanguage', function () {
      const { language } = this.request
      this.vary('Accept-Language')
      this.header('content-language', language)
      return language
    })
  },
  { name: 'language', dependencies: ['@fastify/sensible'] },
)

/** The ranges that mean each language. A reader of Traditional Chinese reads Simplified better than English. */
const MEANT: Record<Language, RegExp> = { en: /^en(-.*)?$/, 'zh-CN': /^zh(-.*)?$/ }
const QUALITY = /^q=(0(\.\d{0,3})?|1(\.0{0,3})?)$/

/**
 * The language that a reader understands best: of two that are equally good the first, by default English.
 * @param accepted the Accept-Language header
 *
 * @fastify/accept-negotiator is made for encodings: it supports neither ranges (`zh-Hans`) nor other cases (`ZH-cn`),
 * and of two that are equally good it takes the server's first, not the reader's.
 * @see RFC 9110, section 12.5.4
 */
export function languageFor(accepted: string | undefined): Language {
  if (!accepted) return 'en'
  const wishes = accepted.toLowerCase().split(',').map(readWish)
  const unnamed = LANGUAGES.find((language) => !wishes.some(({ range }) => MEANT[language].test(range)))
  const best = wishes
    .filter(({ quality }) => quality > 0)
    .sort((one, other) => other.quality - one.quality)
    .map(({ range }) => (range === '*' ? unnamed : LANGUAGES.find((language) => MEANT[language].test(range))))
  return best.find((language) => language !== undefined) ?? 'en'
}

/** An item that cannot be parsed is ignored. */
function readWish(wish: string): { range: string; quality: number } {
  const [range, weight = 'q=1'] = wish.split(';').map((part) => part.trim())
  return { range: range!, quality: Number(QUALITY.exec(weight)?.[1] ?? 0) }
}
