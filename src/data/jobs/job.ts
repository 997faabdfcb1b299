import type { Scope } from '../tx/scope.ts'
import type { Database } from '../wire/database.ts'
import type { Walk } from './every-tenant.ts'

/** What the work of a job is given. */
export interface DatabaseHost {
  readonly database: Database
}

/**
 * Background work: what it is called, how often it runs, and what it does. `open` prepares that when the job is started,
 * because its runs share something. `startJobs` starts it.
 */
export type Job<Host extends DatabaseHost = DatabaseHost> = (
  | Work<Host>
  | { open(host: Host): Work<Host> | Promise<Work<Host>> }
) & {
  /** as the log and `/system/jobs` name it: `reminders` */
  name: string
  /** ms between the end of one run and the next; longer after a long run, so that it stays in the background */
  every: number
  /** ms before the first run */
  first?: number
  /** The same in the other processes of a machine, for what each process keeps to itself. Without it, one runs the job. */
  elsewhere?: number
}

/** What a job does: in every tenant, or once for the whole installation. */
export type Work<Host extends DatabaseHost = DatabaseHost> = (
  | WorkInTenants<Host>
  | {
      /** @param stopping asks it to end early @returns true if there is more, so that the next run begins immediately */
      run(host: Host, stopping: AbortSignal): Promise<unknown>
    }
) & {
  /** Lets go of what it holds, after its last run. */
  close?(): unknown
}

/** Work in every tenant. They take turns: a batch in each, then one more in those that have more. */
export interface WorkInTenants<Host extends DatabaseHost = DatabaseHost> {
  inTenants: Walk
  /** Does one batch in one tenant. @returns true if the tenant has more */
  work(scope: Scope, host: Host, stopping: AbortSignal): Promise<unknown>
}
