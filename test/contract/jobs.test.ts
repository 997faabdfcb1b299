import { test } from 'vitest'
import { offlineConfig } from '../../tools/openapi/routes.ts'
import { domains, expectGolden, partOf } from '../support/domains.ts'
import { expectNone } from '../support/expect-none.ts'

const config = offlineConfig()
const jobs = domains.flatMap(({ name: domain, jobs }) => (jobs?.(config) ?? []).map((job) => ({ domain, ...job })))

test('the names of jobs, which the page of jobs shows, and how often they run are those that were reviewed', () =>
  expectGolden({ file: 'jobs.txt', means: 'A job has another name, or runs more or less often' }, (of) =>
    partOf(
      of,
      jobs.map(({ domain, name, every, elsewhere }) => {
        const others = elsewhere === undefined ? '' : `, in other processes ${elsewhere / 1000} s`
        return [domain, `${domain}: ${name}, every ${every / 1000} s${others}`]
      }),
    ),
  ))

test('no two jobs have the same name', () => {
  const names = jobs.map(({ name }) => name)
  expectNone(
    jobs
      .filter(({ name }, at) => names.indexOf(name) !== at)
      .map(({ domain, name }) => `${domain} declares the job ${name}, as another domain or job does: rename it`),
  )
})
