import { expect } from 'vitest'
import { untilNone } from '#test/patience.ts'
import type { Upgraded } from '#test/year-of-rows.ts'

const KINDS = 6
/** Tasks that are not in the index, and tenants whose index is not complete. */
const LACKING = `
  select (select count(*) from tasks where is_open is not null) - (select count(*) from search_entries where type = 'task')
       + (select count(*) from tenants) - (select count(*) from search_cursors where cardinality(built) = ${KINDS})`

/** What was there before the search is indexed beside requests, and found. */
export default async function expectFound({ look, remote, year, since }: Upgraded): Promise<Record<string, unknown>> {
  await untilNone(() => look.count(LACKING), 1000)
  const indexCompleteAfterMs = Date.now() - since
  const admin = { username: 'admin', password: 'admin123', tenantCode: 'default' }
  const { accessToken } = (await remote.as().post('/auth/login', admin)).expect(200)
  for (const code of year.codes)
    for (const title of [year.rows / 2, year.rows].map((number) => `Task ${number}`)) {
      const found = await remote
        .as(accessToken)
        .get(`/search?q=${encodeURIComponent(title)}`, { 'x-tenant-code': code })
      expect(found.expect(200).map((result: any) => result.title)).toContain(title)
    }
  return { indexCompleteAfterMs, words: await look.count('select count(*) from search_words') }
}
