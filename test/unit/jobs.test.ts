import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { DatabaseHost, Job } from '../../src/data/jobs/job.ts'
import { openJobBook } from '../../src/data/jobs/job-book.ts'
import { jobsHere, startJobs } from '../../src/data/jobs/start-jobs.ts'
import { Unavailable } from '../../src/data/wire/unavailable.ts'
import { until } from '../support/patience.ts'

const logged: string[] = []
const book = openJobBook()
const log = { warn: (_: object, says: string) => logged.push(says) }
const host = { database: { jobs: book, log } } as never
const start = (...jobs: Job<DatabaseHost>[]) => startJobs<DatabaseHost>(host, jobs)
const HOUR_MS = 3600_000

test('a run that leaves more to do is followed by the next one without a pause', async () => {
  let left = 3
  const running = await start({ name: 'sums', every: HOUR_MS, run: async () => --left > 0 })
  await until(() => left === 0)
  await running.stop()
  expect(left).toBe(0)
})

test('a failed run is logged and shown, and the next one tries again', async () => {
  let runs = 0
  const running = await start({
    name: 'leaves',
    every: 1,
    run: async () => {
      if (++runs === 1) throw new Error('not today')
    },
  })
  await until(() => runs > 1 && book.list().some(({ lastResult }) => lastResult === 'ok'))
  await running.stop()
  expect(logged).toEqual(['leaves could not be swept'])
})

test('a run that waited for a database that is away is followed by the next one after the usual pause', async () => {
  const jobs = openJobBook(() => 0)
  const running = await startJobs<DatabaseHost>({ database: { jobs, log } } as never, [
    {
      ...{ name: 'mails', every: 1000 },
      async run() {
        await sleep(100)
        throw new Unavailable('the database is away')
      },
    },
  ])
  const { nextRunAt } = await until(() => jobs.list().find((job) => job.lastResult && job.nextRunAt) ?? false)
  await running.stop()
  expect(nextRunAt).toBe(new Date(1000).toISOString())
})

test('what a job has opened is closed after its last run', async () => {
  const happened: string[] = []
  const running = await start({
    name: 'doors',
    every: HOUR_MS,
    open: async () => ({
      run: (_, stopping) =>
        new Promise<void>((resolve) => {
          happened.push('runs')
          stopping.addEventListener('abort', () => setTimeout(resolve, 20))
        }).then(() => void happened.push('ends')),
      close: () => void happened.push('closed'),
    }),
  })
  await until(() => happened.length > 0)
  await running.stop()
  expect(happened).toEqual(['runs', 'ends', 'closed'])
  expect(book.list()).toEqual([])
})

test('if one job cannot be opened, none is started', async () => {
  let runs = 0
  const broken = start(
    { name: 'first', every: HOUR_MS, run: async () => void runs++ },
    { name: 'second', every: HOUR_MS, open: () => Promise.reject(new Error('no key')) },
  )
  await expect(broken).rejects.toThrow('no key')
  expect([runs, book.list()]).toEqual([0, []])
})

test('other processes of a machine run the jobs that say how often, and no others', () => {
  const run = async () => {}
  const [one, both] = [
    { name: 'one', every: 5, run },
    { name: 'both', every: 5, elsewhere: 9, run },
  ]
  expect(jobsHere<DatabaseHost>([one, both], true)).toEqual([one, both])
  expect(jobsHere<DatabaseHost>([one, both], false)).toEqual([{ ...both, every: 9 }])
})
