import type { Config, DomainRoutes, FastifyReply } from '#atrium'
import { groupRoutes } from './groups.routes.ts'
import { personRoutes } from './people.routes.ts'
import { discovery } from './protocol/discovery.ts'
import { errorBody, scimFaults } from './scim.rules.ts'

const PREFIX = '/scim/v2'

/**
 * SCIM 2.0, with which a directory keeps people and roles in step. It is outside the envelope: bodies, refusals and media
 * type are those of the standard.
 * @see RFC 7643, RFC 7644
 */
export const scimPages: DomainRoutes = async (app, { config }) => {
  await app.register(
    async (scim) => {
      scim.setErrorHandler((error: Error, _req, reply) => send(reply, errorBody(reply.refuse(error))))
      scim.setNotFoundHandler((req, reply) =>
        send(reply, errorBody(reply.refuse(scim.refusalOf(req, scimFaults.nothingHere())))),
      )
      const options = { base: baseOf(config), files: config.files, send }
      await scim.register(personRoutes, options)
      await scim.register(groupRoutes, options)
      for (const [path, document] of Object.entries(discovery(options.base)))
        scim.get(path, { config: { access: 'signed-in' } }, (_req, reply) => send(reply, document))
    },
    { prefix: PREFIX },
  )
}

function send(reply: FastifyReply, body: object): FastifyReply {
  return reply.type('application/scim+json; charset=utf-8').serializer(JSON.stringify).send(body)
}

/** The Host of a request is not trusted: without PUBLIC_URL, addresses begin at the root. */
function baseOf({ publicUrl }: Config): string {
  return `${publicUrl?.replace(/\/$/, '') ?? ''}${PREFIX}`
}
