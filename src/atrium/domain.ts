import type { FastifyInstance } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import type { Config } from '../config/config.ts'
import type { CleanupJob } from '../data/jobs/cleanup.ts'
import { declarePermissions } from '../kernel/access.ts'
import type { Words } from '../kernel/words/domain.ts'
import { declareEvents } from '../kernel/words/events.ts'
import { declareKinds } from '../kernel/words/kinds.ts'
import { declareMails } from '../kernel/words/mails.ts'
import { declareSentences } from '../kernel/words/sentence.ts'
import { declareTitles } from '../kernel/words/titles.ts'
import type { CommandLine, Commands } from './command-line.ts'
import type { Checks } from './finding.ts'
import type { Job } from './job.ts'
import type { Provision } from './port.ts'

/** A group of operations in the document. */
export interface Tag {
  readonly description: string
  /** the paths below /api/v1 that its operations begin with; if several groups match, the longest path wins */
  readonly paths: readonly string[]
}

/** A domain's declaration: everything that the rest of the service has to know of it. */
export interface Domain extends Words {
  /** unique; its folder and files are named after it */
  readonly name: string
  /** what a plug-in is for, in one sentence that `atrium plugins` prints */
  readonly about?: string
  /** the domains whose actions, rules and views it uses, without cycles */
  readonly uses?: readonly Domain[]
  /** fills ports of the domains below */
  readonly provides?: readonly Provision[]
  readonly tags?: Readonly<Record<string, Tag>>
  /** the folder of its migrations, if they are not in db/migrations */
  readonly migrations?: URL
  /** what it adds to the document, written by `npm run openapi`, if that is not in openapi.json */
  readonly document?: URL
  /** its background work, which `src/app.ts` starts */
  jobs?(config: Config): readonly Job[]
  /** the folder of what it adds to the console: `extension.ts`, pages, and `texts` in other languages */
  readonly console?: URL
  /** rows that are removed when their time is over */
  cleanups?(config: Config): readonly CleanupJob[]
  /** adds hooks that every request passes, after its person and tenant are known */
  hooks?(app: FastifyInstance, config: Config): void
  /** what it adds to the command line, which alone loads it */
  readonly commands?: () => Promise<{ commands(cli: CommandLine): Commands }>
  /** what it adds to `atrium doctor`, which alone loads it */
  readonly checks?: () => Promise<{ checks: Checks }>
  readonly routes?: DomainRoutes
  /** the plugin that registers its pages, which are not below /api/v1 and not in the document */
  readonly pages?: DomainRoutes
}

/** The plugin that registers the routes of a domain below /api/v1; it is given the name of its domain. */
export type DomainRoutes = FastifyPluginAsyncZod<{ config: Config; domain?: string }>

/** Declares a domain, for the list of domains. */
export function domain<const D extends Domain>(declaration: D): D {
  return declaration
}

/**
 * Registers domains, in the order of the list: their permissions can then be demanded, their sentences used, and the
 * ports that they provide are filled.
 * @throws Error if two of them declare the same word
 */
export function introduce(domains: readonly Domain[]): void {
  for (const {
    permissions = {},
    sentences = {},
    events = {},
    notifications = {},
    provides = [],
    ...words
  } of domains) {
    declarePermissions(permissions)
    declareSentences(sentences)
    declareEvents(events)
    declareTitles(notifications)
    declareKinds(words)
    declareMails(words)
    for (const provide of provides) provide()
  }
}
