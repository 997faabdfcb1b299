import { hash } from 'node:crypto'
import type { FastifyReply, FastifyRequest, onSendHookHandler, preValidationHookHandler, RouteOptions } from 'fastify'
import fp from 'fastify-plugin'
import { type Expected, fingerprintOf } from '../../kernel/expected.ts'
import { type Detail, faults } from '../../kernel/fault.ts'
import { isKnown, readEntityTags, type Validators, type Verdict, weigh } from '../../util/text/entity-tags.ts'
import { violationsIn } from './failures.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The versions of the thing in the path that the client's If-Match accepts. */
    readonly ifMatch: Expected['ifMatch']
    /** Decides a conditional GET or HEAD of something that is not a row: a file, a document. */
    weigh(validators: Validators): Verdict
  }
  interface FastifyReply {
    /** The first part of its ETag: the id and the version of what it shows. */
    version: string | undefined
    /** Says with the ETag which version of the thing this is. */
    versioned<View extends Versioned>(view: View): View
    /** The same for things without versions: the ETag identifies the state that a form of it shows. */
    fingerprinted<View extends { id: number }>(view: View, state: object | ((view: View) => object)): View
    /** Answers that the client's copy is current; any route may, whatever its schema says of an answer with a body. */
    notModified(): this
  }
  interface FastifyContextConfig {
    /**
     * The command changes a thing that has versions, and understands If-Match. If `version` is in the body or the query,
     * it must be given, or an If-Match that names a version; `nowhere`, both may be left out and the last write wins.
     */
    versionIn?: 'body' | 'query' | 'nowhere'
    /** What has no id in its path is the tenant's, not the caller's. */
    ofTenant?: true
  }
}

interface Versioned {
  id: number
  version: number
}

/**
 * Versions as HTTP knows them. An ETag is `"id-version.digest"`. If-Match compares the version, or a fingerprint of what a
 * form shows if the thing counts no versions. If-None-Match compares the whole: names beside ids, for example, change
 * without a new version.
 * @see RFC 9110, sections 13.1.1 and 13.1.2
 */
export const preconditions = fp(
  async (app) => {
    app.decorateRequest('ifMatch', { getter: versionsIn } as never)
    app.decorateRequest('weigh', function (this: FastifyRequest, validators) {
      return weigh(this.headers, validators)
    })
    app.decorateReply('version', undefined)
    app.decorateReply('versioned', function (this: FastifyReply, view) {
      this.version = `${view.id}-${view.version}`
      return view
    })
    app.decorateReply('fingerprinted', function (this: FastifyReply, view, state) {
      this.version = `${view.id}-${fingerprintOf(typeof state === 'function' ? state(view) : state)}`
      return view
    })
    app.decorateReply('notModified', function (this: FastifyReply) {
      return this.code(304).send()
    })
    app.addHook('onRoute', (route) => {
      const { versionIn } = route.config ?? {}
      if (versionIn) route.preValidation = [route.preValidation ?? [], demand(versionIn)].flat()
      const others = [route.onSend ?? []].flat()
      if (tells(route) && !others.includes(finish)) route.onSend = [finish, ...others]
    })
  },
  { name: 'preconditions', dependencies: ['failures'] },
)

/** Whether the answer says which version it has. */
function tells({ config, schema }: RouteOptions): boolean {
  const sends: readonly string[] = schema?.sends ?? []
  return config?.versionIn !== undefined || sends.includes('ETag') || sends.includes('Location')
}

/** Sends the ETag, with a digest of what is sent, and sends nothing else if the client has that already. */
const finish: onSendHookHandler = (req, reply, payload, done) => {
  if (reply.version === undefined || typeof payload !== 'string' || reply.statusCode >= 300) return done(null, payload)
  const etag = `"${reply.version}.${hash('sha256', payload, 'base64url').slice(0, 16)}"`
  reply.header('etag', etag)
  const isRead = req.method === 'GET' || req.method === 'HEAD'
  if (!isRead || !isKnown(etag, req.headers['if-none-match'])) return done(null, payload)
  reply.code(304).removeHeader('content-type')
  return done(null, null)
}

/** Reported together with all other violations. */
function demand(versionIn: 'body' | 'query' | 'nowhere'): preValidationHookHandler {
  return (req, _reply, done) => {
    const problem = problemOf(req, versionIn)
    done(problem && faults.validation([...violationsIn(req), problem]))
  }
}

function problemOf(req: FastifyRequest, versionIn: 'body' | 'query' | 'nowhere'): Detail | undefined {
  const header = req.headers['if-match']
  const tags = header === undefined ? undefined : readEntityTags(header)
  if (header !== undefined && tags === undefined)
    return { path: 'headers.if-match', message: 'must be a list of entity tags, or *' }
  // The star matches every version, so it is none.
  if (tags !== undefined && tags !== '*') return undefined
  const given = versionIn === 'nowhere' ? undefined : req[versionIn]
  if (typeof given !== 'object' || given === null || 'version' in given) return undefined
  return { path: `${versionIn}.version`, message: 'is required' }
}

function versionsIn(this: FastifyRequest): Expected['ifMatch'] {
  const header = this.headers['if-match']
  if (header === undefined) return undefined
  const tags = readEntityTags(header) ?? []
  if (tags === '*') return undefined
  const { id, section } = this.params as { id?: number; section?: string }
  const whose = this.route.config.ofTenant ? this.tenant!.id : this.user.id
  const ours = section === undefined ? `"${id ?? whose}-` : '"'
  const own = tags.filter((tag) => tag.startsWith(ours) && !tag.startsWith('W/'))
  return own.map((tag) => tag.slice(ours.length, -1).split('.')[0]!)
}
