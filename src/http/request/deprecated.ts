import type { onSendHookHandler, RouteOptions } from 'fastify'
import fp from 'fastify-plugin'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** the operation, or some of its fields, are to go */
    deprecated?: Deprecated
  }
}

export interface Deprecated {
  /** the day on which a release said so first: `2027-01-31` */
  since: string
  /** the first day on which it may be gone, half a year later or more */
  until: string
  /** where to find what replaces it: an address, or a path below /api/v1 */
  instead: string
  /** names of its fields, if only these are to go */
  fields?: readonly string[]
}

/**
 * Tells in each answer of a deprecated operation since when it is, until when it is there, and what replaces it. The
 * document says the same (contract 10.7).
 * @see RFC 9745 for `Deprecation`, RFC 8594 for `Sunset`
 */
export const deprecated = fp(
  async (app) => {
    app.addHook('onRoute', (route: RouteOptions) => {
      const terms = route.config?.deprecated
      if (terms) route.onSend = [tellerOf(terms), route.onSend ?? []].flat()
    })
  },
  { name: 'deprecated' },
)

function tellerOf({ since, until, instead }: Deprecated): onSendHookHandler {
  const headers = { deprecation: `@${Date.parse(since) / 1000}`, sunset: new Date(until).toUTCString() }
  const successor = `<${instead}>; rel="successor-version"`
  return async (_req, reply, payload) => {
    const others = reply.getHeader('link')
    reply.headers({ ...headers, link: others === undefined ? successor : `${others}, ${successor}` })
    return payload
  }
}
