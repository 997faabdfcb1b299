import type { Config } from '../config/config.ts'
import type { Job as JobOf } from '../data/jobs/job.ts'
import type { Reported } from '../data/jobs/report-backlog.ts'
import type { Sealer } from '../util/seal.ts'

/** What the job of a domain is given. */
export interface JobHost extends Reported {
  readonly config: Config
  readonly sealer: Sealer
}

/** Background work of a domain. */
export type Job = JobOf<JobHost>
