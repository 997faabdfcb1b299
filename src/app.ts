import sensible from '@fastify/sensible'
import Fastify, { type FastifyInstance, LogController } from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import type { Logger } from 'pino'
import type { Domain } from './atrium/domain.ts'
import type { Finding } from './atrium/finding.ts'
import type { JobHost } from './atrium/job.ts'
import { type Measured, openOperators } from './atrium/ports/operators.ts'
import { auditTrail, namesOfPeople, openCallers, openTracing, tenantDirectory } from './atrium/ports/serving.ts'
import type { Build } from './config/build.ts'
import type { Config } from './config/config.ts'
import { developmentAccount } from './config/secret.ts'
import { oldInvalidations, watchChanges } from './data/changes/changes.ts'
import type { Coordination } from './data/coordination/coordination.ts'
import { eventWorker } from './data/events/number-events.ts'
import { type CleanupJob, cleanup } from './data/jobs/cleanup.ts'
import { expiredClaims, expiredVisitorClaims } from './data/jobs/remove-oldest.ts'
import type { WaitingCounts } from './data/jobs/report-backlog.ts'
import { jobsHere, startJobs } from './data/jobs/start-jobs.ts'
import { measureBacklogs } from './data/outbox/backlog.ts'
import { outboxWorker } from './data/outbox/outbox.ts'
import { watchReadiness } from './data/setup/readiness.ts'
import type { Replica } from './data/setup/replica.ts'
import { openScope } from './data/tx/open-scope.ts'
import type { Database } from './data/wire/database.ts'
import { docs, docsAsHome } from './http/docs/docs.ts'
import { readDocument } from './http/docs/document.ts'
import { formerUsers } from './http/language/former-users.ts'
import { language } from './http/language/language.ts'
import { limits } from './http/limits/limits.ts'
import { bodyTimeout, LONGEST_BODY_MS } from './http/load/body-timeout.ts'
import { departed } from './http/load/departed.ts'
import { lifetime } from './http/load/lifetime.ts'
import { pressure } from './http/load/pressure.ts'
import { slowReaders } from './http/load/slow-readers.ts'
import { audit } from './http/observe/audit.ts'
import { health } from './http/observe/health.ts'
import { requestLog } from './http/observe/request-log.ts'
import { publicAnswers } from './http/public/public-answers.ts'
import { bodies } from './http/request/bodies.ts'
import { commands } from './http/request/commands.ts'
import { deprecated } from './http/request/deprecated.ts'
import { envelope } from './http/request/envelope.ts'
import { answer, answerClientError, failures } from './http/request/failures.ts'
import { gate } from './http/request/gate.ts'
import { alwaysSent, headers, requestIdOf } from './http/request/headers.ts'
import { identity } from './http/request/identity.ts'
import { peopleById } from './http/request/people-by-id.ts'
import { preconditions } from './http/request/preconditions.ts'
import { tenancy } from './http/request/tenancy.ts'
import { listForms } from './http/streams/list-forms.ts'
import { type StreamCount, streams } from './http/streams/streams.ts'
import { documentsOf, loadDomains, migrationsOf, type PluginState, statesOf } from './load-domains.ts'
import { droppedLines } from './log.ts'
import { type Sealer, sealWith } from './util/seal.ts'
import { canonicalTarget } from './util/target.ts'
import { withinBounds } from './util/within-bounds.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** encrypts stored secrets */
    sealer: Sealer
    /** what runs */
    build: Build
    /** those that are on */
    domains: readonly Domain[]
    /** The document of the API, with what those add to it. */
    document(): Promise<string>
    /** every plug-in that is here, and whether it is on */
    plugins: readonly PluginState[]
    /** how replicas and workers coordinate; undefined if there are none */
    coordination: Coordination | undefined
    /** What waits, where the background jobs run. */
    waiting: WaitingCounts
    /** undefined if no metrics are collected */
    metrics: Measured | undefined
    /** Opens the listener for operators, if they have one. */
    listenForOperators(): Promise<{ close(): Promise<void> } | undefined>
    /** Whether everything is as the service needs it, as `atrium doctor` says. */
    examine: Examine
  }
}

/** Checks the installation, and says what to do about what is not as it should be. It may take seconds. */
export type Examine = () => Promise<Finding[]>

export interface Dependencies {
  database: Database
  /** undefined if none is configured: then the primary also serves public reads */
  replica?: Replica | undefined
  /** how replicas coordinate; undefined if there is nothing for it: everything works without */
  coordination: Coordination | undefined
  logger: Logger
  /** absent if this is the only process of the machine */
  streamCount?: StreamCount | undefined
  /** false if another process of the same machine runs the background jobs */
  jobs?: boolean
  /** what the doctor finds; absent where nobody asks */
  examine?: Examine | undefined
  /** true once the shutdown has begun */
  stopping?: () => boolean
}

/** Builds the service: plugins in the order of a request's life, then the domains. It does not listen yet. */
export async function buildApp(config: Config, deps: Dependencies): Promise<FastifyInstance> {
  const { replica, coordination, logger, jobs = true, stopping = () => false } = deps
  const domains = await loadDomains(config)
  const operators = await openOperators.get()(config)
  const tracing = await openTracing.get()(config, logger)
  const database = tracing?.follow(deps.database) ?? deps.database
  const app = Fastify({
    loggerInstance: logger as never,
    logController: new LogController({ disableRequestLogging: true }),
    // Most requests write one line or none: a logger for each would cost more than it saves.
    childLoggerFactory: (logger) => logger,
    genReqId: requestIdOf,
    rewriteUrl: (req) => canonicalTarget(req.url ?? ''),
    requestIdHeader: false,
    bodyLimit: config.bodyLimit,
    trustProxy: config.trustProxy ?? false,
    requestTimeout: LONGEST_BODY_MS,
    keepAliveTimeout: 65_000,
    maxRequestsPerSocket: 0,
    routerOptions: { maxParamLength: 512, ignoreTrailingSlash: true },
    http: {
      headersTimeout: 15_000,
      connectionsCheckingInterval: 5000,
      maxHeaderSize: 16_384,
      joinDuplicateHeaders: true,
    },
    return503OnClosing: false,
    // An address that cannot be parsed passes no hook, so its answer gets its headers here.
    frameworkErrors: (error, req, reply) => {
      answer(
        req as never,
        reply.headers({
          ...alwaysSent(config),
          vary: 'Origin, Accept-Language',
          'x-request-id': req.id,
        }) as never,
        error,
      )
      app.lifetime.endAtOnce(req as never, reply as never)
    },
    clientErrorHandler: answerClientError,
  }).withTypeProvider<ZodTypeProvider>()

  if (coordination) {
    database.inboxSignal.connect((receive) => coordination.openChannel('atrium:bell', receive))
    database.eventSignal.connect((receive) => coordination.openChannel('atrium:events', receive))
    database.announcements.connect((receive) => coordination.openChannel('atrium:changes', receive))
  }
  const changes = watchChanges(database)
  const { openLogbook, recordOperation } = auditTrail.get()
  const logbook = openLogbook(database, app.log)
  const callers = openCallers.get()(database, changes, config)
  app.decorate('build', config.build)
  app.decorate('domains', domains)
  app.decorate('document', () => readDocument(documentsOf(domains)))
  app.decorate('plugins', statesOf(domains))
  app.decorate('coordination', coordination)
  app.decorate('waiting', new Map())
  app.decorate('examine', deps.examine ?? (async () => []))
  app.decorate('sealer', sealWith(config.sealingSecrets))
  app.addHook('onClose', async () => {
    await Promise.all([logbook.close(), callers.close()])
    changes.close()
    database.inboxSignal.close()
    database.eventSignal.close()
    database.announcements.close()
    await tracing?.close()
  })

  const backlogs = () => measureBacklogs(database)
  await app.register(departed)
  await app.register(lifetime, {})
  await app.register(slowReaders, {})
  await app.register(audit, { logbook, reads: config.auditReads })
  await app.register(requestLog)
  tracing?.hooks(app as never)
  await app.register(bodyTimeout)
  await app.register(envelope)
  await app.register(deprecated)
  // For `reply.vary`. Its `httpErrors` carry a status and an English text; our faults carry a type and two languages.
  await app.register(sensible)
  await app.register(language)
  await app.register(formerUsers)
  await app.register(failures)
  await app.register(publicAnswers, {
    database,
    mostBytes: config.publicCacheBytes,
    maxAge: config.publicMaxAge,
    always: alwaysSent(config),
    counted: config.requestLimit > 0,
  })
  await app.register(headers, { config })
  await app.register(pressure, { limit: config.overloadDelay })
  const measured = operators?.measure(app as never, {
    build: config.build,
    database,
    coordination,
    droppedLines: () => droppedLines(logger),
    auditPending: logbook.pending,
    auditLost: logbook.lost,
    passwords: callers.passwords,
    backlogs: jobs ? backlogs : undefined,
  })
  app.decorate('metrics', measured)
  app.decorate('listenForOperators', async () => {
    if (!operators || !measured) return undefined
    return operators.listen({ metrics: measured.page, readiness: app.readiness, log: app.log })
  })
  const outbox = withinBounds(backlogs)
  if (jobs) app.waiting.set('outbox', async () => (await outbox())?.outbox.pending)
  await app.register(health, {
    readiness: await watchReadiness(database, coordination, migrationsOf(domains), stopping),
  })
  if (config.docs) await app.register(docs, { account: developmentAccount(config) })
  await app.register(bodies)
  await app.register(identity, {
    config,
    changes,
    findUser: callers.findUser,
    findKeyHolder: callers.findKeyHolder,
  })
  await app.register(limits, { shared: coordination?.quotas, requests: config.requestLimit })
  const tenants = tenantDirectory.get()
  await app.register(tenancy, {
    database,
    replica,
    changes,
    load: { byId: (id) => tenants.byId(database, id), byCode: (code) => tenants.byCode(database, code) },
  })
  await app.register(listForms)
  for (const { hooks } of domains) hooks?.(app as never, config)
  await app.register(peopleById, { namesOf: namesOfPeople.get()(changes, (tenantId) => openScope(database, tenantId)) })
  await app.register(gate)
  await app.register(preconditions)
  await app.register(commands, { recordOperation, gatekeeper: coordination?.gatekeeper })
  await app.register(streams, {
    most: config.streamsMost,
    count: deps.streamCount,
    perUser: config.streamsPerUser,
    living: callers.findLiving,
  })

  const prefix = '/api/v1'
  for (const { name: domain, routes, pages } of domains) {
    if (routes) await app.register(routes, { prefix, config, domain })
    if (pages) await app.register(pages, { config, domain })
  }
  if (config.docs && !app.hasRoute({ method: 'GET', url: '/' })) await app.register(docsAsHome)

  const ofDomains = domains.flatMap((domain) => domain.jobs?.(config) ?? [])
  const all = [outboxWorker, eventWorker, cleanup(cleanupsOf(domains, config)), ...callers.jobs, ...ofDomains]
  const host = { config, database, sealer: app.sealer, metrics: app.metrics, waiting: app.waiting }
  const running = await startJobs<JobHost>(host, jobsHere(all, jobs))
  app.addHook('onClose', () => running.stop())
  return app as never
}

/** The cleanups of the service itself and of its domains. */
export function cleanupsOf(domains: readonly Domain[], config: Config): CleanupJob[] {
  const ofDomains = domains.flatMap((domain) => domain.cleanups?.(config) ?? [])
  return [expiredClaims, expiredVisitorClaims, oldInvalidations, ...ofDomains]
}
