import type { Job, JobHost } from '../../src/atrium/job.ts'
import { type RunningJobs, runWork, startJobs } from '../../src/data/jobs/start-jobs.ts'
import type { Database } from '../../src/data/wire/database.ts'
import { sealWith } from '../../src/util/seal.ts'
import { testConfig } from './config.ts'

/** What a job is given in a test, where nobody reads its metrics. */
export function jobHost(database: Database, settings: Record<string, string> = {}): JobHost {
  const config = testConfig(settings)
  return { database, config, sealer: sealWith(config.sealingSecrets), metrics: undefined, waiting: new Map() }
}

/** One run of a job. @returns true if it leaves more to do */
export async function runJob(database: Database, job: Job, settings?: Record<string, string>): Promise<boolean> {
  const host = jobHost(database, settings)
  const work = 'open' in job ? await job.open(host) : job
  const more = await runWork(host, work, new AbortController().signal)
  await work.close?.()
  return more
}

/** Starts a job beside those of the service. @param every ms between its runs, if not as often as it says */
export function startJob(database: Database, job: Job, every = job.every): Promise<RunningJobs> {
  return startJobs(jobHost(database), [{ ...job, every, first: 0 }])
}
