import type { onRequestHookHandler, RouteOptions } from 'fastify'
import fp from 'fastify-plugin'
import { addLink } from './envelope.ts'

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
      if (terms) route.onRequest = [tellerOf(terms), route.onRequest ?? []].flat()
    })
  },
  { name: 'deprecated' },
)

function tellerOf({ since, until, instead }: Deprecated): onRequestHookHandler {
  const headers = { deprecation: `@${Date.parse(since) / 1000}`, sunset: new Date(until).toUTCString() }
  return (_req, reply, done) => {
    reply.headers(headers)
    addLink(reply, `<${instead}>; rel="successor-version"`)
    done()
  }
}
