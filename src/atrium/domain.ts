import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import type { Config } from '../config/config.ts'
import type { CleanupJob } from '../data/jobs/cleanup.ts'
import { declarePermissions } from '../kernel/access.ts'
import type { Words } from '../kernel/words/domain.ts'
import { declareKinds } from '../kernel/words/kinds.ts'
import { declareSentences } from '../kernel/words/sentence.ts'
import { declareTitles } from '../kernel/words/titles.ts'
import type { Provision } from './port.ts'

/** A group of operations in the document. */
export interface Tag {
  readonly description: string
  /** the paths below /api/v1 that its operations begin with; of several groups that fit, the longest path decides */
  readonly paths: readonly string[]
}

/** A domain as it declares itself: all that the rest of the service has to know of it. */
export interface Domain extends Words {
  /** unique; its folder and its files go by it */
  readonly name: string
  /** the domains whose actions, rules and views it asks; together they form a line */
  readonly uses?: readonly Domain[]
  /** fills ports of the domains below */
  readonly provides?: readonly Provision[]
  readonly tags?: Readonly<Record<string, Tag>>
  /** the folder of its migrations, where they do not lie in db/migrations */
  readonly migrations?: URL
  /** what it adds to the document, written by `npm run openapi`, where it does not stand in openapi.json */
  readonly document?: URL
  /** rows that go when their time is over */
  cleanups?(config: Config): readonly CleanupJob[]
  readonly routes: DomainRoutes
}

/** The plugin that registers the routes of a domain below /api/v1. */
export type DomainRoutes = FastifyPluginAsyncZod<{ config: Config }>

/** Declares a domain: the value that the list of domains takes. */
export function domain<const D extends Domain>(declaration: D): D {
  return declaration
}

/**
 * Makes domains known, in the order of the list: from now on their permissions can be demanded, their sentences be said,
 * and the ports that they provide are filled.
 * @throws Error when two of them declare the same word
 */
export function introduce(domains: readonly Domain[]): void {
  for (const { permissions = {}, sentences = {}, notifications = {}, provides = [], ...words } of domains) {
    declarePermissions(permissions)
    declareSentences(sentences)
    declareTitles(notifications)
    declareKinds(words)
    for (const provide of provides) provide()
  }
}
