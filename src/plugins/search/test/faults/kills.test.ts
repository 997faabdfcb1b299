import { expect, test } from 'vitest'
import { cloneDatabase, openInspector } from '#test/database.ts'
import { until } from '#test/patience.ts'
import { startProcess } from '#test/service.ts'
import { foundCompanies } from '#test/workload.ts'

/** SEARCH_KILLS=20 for the full run. */
const KILLS = Number(process.env.SEARCH_KILLS ?? 2)

test(`what was acknowledged is found after ${KILLS} kills between the event and the index`, async () => {
  const databaseUrl = await cloneDatabase()
  const look = await openInspector(databaseUrl)
  let service = await startProcess({ databaseUrl })
  const { port } = service
  const [company] = await foundCompanies(service.remote, 1)
  const boss = () => service.remote.as(company!.people[0]!.token)
  const found = async (q: string): Promise<any[]> =>
    (await boss().get(`/search?q=${encodeURIComponent(q)}&limit=50`)).expect(200)
  const acknowledged: string[] = []
  for (let kill = 0; kill < KILLS; kill++) {
    await until(
      async () => (await look.rows('select from search_cursors where tenant_id = $1', [company!.tenant])).length > 0,
    )
    for (let at = 0; at < 10; at++) {
      const title = `Kumquat ${kill}x${at}`
      ;(await boss().post(`/projects/${company!.project}/tasks`, { title })).expect(201)
      acknowledged.push(title)
    }
    await service.end('SIGKILL')
    service = await startProcess({ databaseUrl, port })
  }
  const words = `select count(*) from search_words where word = 'kumquat'`
  await until(async () => (await look.count(words)) === acknowledged.length)
  for (const title of acknowledged) expect((await found(title)).map((result) => result.title)).toContain(title)
})
