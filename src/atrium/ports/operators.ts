import type { FastifyInstance } from 'fastify'
import type { Build } from '../../config/build.ts'
import type { Config } from '../../config/config.ts'
import type { Coordination } from '../../data/coordination/coordination.ts'
import type { Metrics } from '../../data/jobs/metrics.ts'
import type { Backlogs } from '../../data/outbox/backlog.ts'
import type { Readiness } from '../../data/setup/readiness.ts'
import type { Database } from '../../data/wire/database.ts'
import type { Log } from '../../kernel/log.ts'
import { port } from '../port.ts'

/** Values of the service itself, which are asked for when somebody reads them. */
export interface Sources {
  build: Build
  database: Database
  /** a value shows whether it is up, if it can be away */
  coordination: Coordination | undefined
  /** lines of the log that could not be written */
  droppedLines: () => number
  /** audit rows that wait to be written, and those that were lost */
  auditPending: () => number
  auditLost: () => number
  /** passwords that wait to be hashed, and those that were refused */
  passwords: () => { waiting: number; refused: number }
  /** Asks the database, so it may take long or fail; undefined if another process reports it. */
  backlogs: (() => Promise<Backlogs>) | undefined
}

/** What operators read, in their format. */
export interface Page {
  type: string
  text: string
}

/** The metrics of this process. */
export interface Measured extends Metrics {
  page(): Promise<Page>
  /** for the process that gathers those of all */
  values(): Promise<unknown>
}

/** The metrics of all workers as those of one service. */
export interface Gathered {
  /** @param workers each with what it answers: its values, or undefined if it takes too long */
  page(workers: Iterable<readonly [id: number, answer: Promise<unknown>]>): Promise<Page>
  /** Keeps the counts of a worker that has ended. */
  retire(id: number): void
}

/** What is reported to operators. */
export interface Told {
  metrics(): Promise<Page>
  readiness(): Promise<Readiness>
  log: Log
}

/** What operators learn of the service beside its log. */
export interface Operators {
  /** Counts and times the requests of a service in this process, and reports what it has. */
  measure(app: FastifyInstance, sources: Sources): Measured
  /** @param running how many workers there are now */
  gather(running: () => number): Gathered
  /**
   * Opens their listener; undefined where they do without.
   * @throws InvalidConfiguration if production cannot have it
   */
  listen(told: Told): Promise<{ close(): Promise<void> } | undefined>
}

/** Opens what operators read, if the configuration wants it. */
export type OpenOperators = (config: Config) => Promise<Operators | undefined>
export const openOperators = port<OpenOperators>('what operators read', async () => undefined)
