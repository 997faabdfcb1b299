import { isUtf8 } from 'node:buffer'
import fp from 'fastify-plugin'
import { faults } from '../../kernel/fault.ts'
import { parseStrictly } from '../../kernel/json-text.ts'

/** A request without a token is a form of a few lines, unless its route says how much it takes. */
const MOST_OF_STRANGERS = 16_384

/**
 * Bodies: strict JSON in UTF-8, or an empty body under any content type (clients send `application/json` without
 * content on commands and deletes). Addresses must meet the same text rules.
 */
export const bodies = fp(
  async (app) => {
    app.addHook('onRoute', (route) => {
      if (route.config?.access === 'anyone') route.bodyLimit ??= MOST_OF_STRANGERS
    })
    app.removeAllContentTypeParsers()
    app.addContentTypeParser(
      ['application/json', 'application/scim+json'],
      { parseAs: 'buffer' },
      (req, body: Buffer, done) => {
        if (body.length === 0) return done(null, undefined)
        if (!isInUtf8(req.headers['content-type'])) return done(faults.mediaType())
        if (!isUtf8(body)) return done(faults.malformedJson())
        // Some editors and libraries put a byte order mark before the text.
        const parsed = parseStrictly(body.toString('utf8').replace(/^\ufeff/, ''))
        if ('malformed' in parsed) return done(faults.malformedJson())
        if ('unsound' in parsed) return done(faults.validation([{ path: 'body', message: parsed.unsound }]))
        done(null, parsed.value)
      },
    )
    app.addContentTypeParser('*', (req, payload, done) => {
      const length = req.headers['content-length']
      if (req.headers['transfer-encoding'] === undefined && (length === undefined || length === '0'))
        return done(null, undefined)
      payload.resume()
      done(faults.mediaType())
    })
    // After every onRequest: who calls, and whether they may, is decided before anything is read.
    app.addHook('preParsing', (req, _reply, _payload, done) => {
      done(
        req.url.includes('%') && !isSoundAddress(req.url)
          ? faults.validation([{ path: 'query', message: 'the address is not valid text' }])
          : undefined,
      )
    })
  },
  { name: 'bodies', dependencies: ['failures'] },
)

/** What names another encoding would be read as something else than was meant. */
function isInUtf8(mediaType: string | undefined): boolean {
  const [, charset = 'utf-8'] = /;\s*charset\s*=\s*"?([^\s";]+)/i.exec(mediaType ?? '') ?? []
  return /^(utf-?8|us-ascii)$/i.test(charset)
}

function isSoundAddress(url: string): boolean {
  if (/%00/.test(url)) return false
  try {
    decodeURIComponent(url.replaceAll('+', ' '))
    return true
  } catch {
    return false
  }
}
