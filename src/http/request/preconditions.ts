import type { FastifyReply, FastifyRequest, preValidationHookHandler } from 'fastify'
import fp from 'fastify-plugin'
import { type Expected, fingerprintOf } from '../../kernel/expected.ts'
import { type Detail, faults } from '../../kernel/fault.ts'
import { readEntityTags, type Validators, type Verdict, weigh } from './entity-tags.ts'
import { violationsIn } from './failures.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The versions of the thing in the path that the client's If-Match lets through. */
    readonly ifMatch: Expected['ifMatch']
    /** Decides a conditional GET or HEAD of something that is no row: a file, a document. */
    weigh(validators: Validators): Verdict
  }
  interface FastifyReply {
    /** Says with the ETag which version of the thing this is. */
    versioned<View extends Versioned>(view: View): View
    /** The same of what counts no versions: the ETag stands for the state that a form of it shows. */
    fingerprinted<View extends { id: number }>(view: View, state: object): View
    /** Answers that what the client has is still so; any route may, whatever its schema says of an answer with a body. */
    notModified(): this
  }
  interface FastifyContextConfig {
    /**
     * The command changes a thing that has versions, and understands If-Match. Where `version` is named in the body or
     * the query, one of the two must be given; `nowhere`, both may be left out and the last one to write wins.
     */
    versionIn?: 'body' | 'query' | 'nowhere'
  }
}

interface Versioned {
  id: number
  version: number
}

/**
 * Versions as HTTP knows them. An ETag is made of id and version, or of a fingerprint of what a form shows where a thing
 * counts no versions: it does not stand for every byte, so it serves If-Match and is not compared with If-None-Match; what
 * needs a token may not be kept anyway.
 * @see RFC 9110, section 13.1.1
 */
export const preconditions = fp(
  async (app) => {
    app.decorateRequest('ifMatch', { getter: versionsIn } as never)
    app.decorateRequest('weigh', function (this: FastifyRequest, validators) {
      return weigh(this.headers, validators)
    })
    app.decorateReply('versioned', function (this: FastifyReply, view) {
      this.header('etag', `"${view.id}-${view.version}"`)
      return view
    })
    app.decorateReply('fingerprinted', function (this: FastifyReply, view, state) {
      this.header('etag', `"${view.id}-${fingerprintOf(state)}"`)
      return view
    })
    app.decorateReply('notModified', function (this: FastifyReply) {
      return this.code(304).send()
    })
    app.addHook('onRoute', (route) => {
      const { versionIn } = route.config ?? {}
      if (versionIn) route.preValidation = [route.preValidation ?? [], demand(versionIn)].flat()
    })
  },
  { name: 'preconditions', dependencies: ['failures'] },
)

/** What is wrong is told together with everything else that is. */
function demand(versionIn: 'body' | 'query' | 'nowhere'): preValidationHookHandler {
  return (req, _reply, done) => {
    const problem = problemOf(req, versionIn)
    done(problem && faults.validation([...violationsIn(req), problem]))
  }
}

function problemOf(req: FastifyRequest, versionIn: 'body' | 'query' | 'nowhere'): Detail | undefined {
  const header = req.headers['if-match']
  if (header !== undefined)
    return readEntityTags(header)
      ? undefined
      : { path: 'headers.if-match', message: 'must be a list of entity tags, or *' }
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
  // What no id in the path names is the caller's own.
  const ours = section === undefined ? `"${id ?? this.user.id}-` : '"'
  return tags.flatMap((tag) => (tag.startsWith(ours) && !tag.startsWith('W/') ? tag.slice(ours.length, -1) : []))
}
