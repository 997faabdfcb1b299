import { beforeAll, describe, expect, test } from 'vitest'
import { until } from '#test/patience.ts'
import type { Remote } from '#test/remote.ts'
import { hasMetrics, type ServiceProcess } from '#test/service.ts'
import { startTwoWorkers } from '#test/two-workers.ts'
import { openWorld, type Person, type Tenant, type World } from '#test/world.ts'
import { givenTab, type Listener, listen } from '../listener.ts'

/** STREAMS_PER_USER by default */
const MOST_STREAMS = 12

describe.skipIf(!hasMetrics)('two workers behind one port, without Redis', () => {
  let world: World
  let tenant: Tenant
  let boss: Person
  let service: ServiceProcess
  let operators: number
  let remotes: Remote[]
  beforeAll(async () => {
    world = await openWorld()
    tenant = await world.givenTenant()
    boss = await world.givenUser(tenant)
    ;({ service, operators, remotes } = await startTwoWorkers(world.databaseUrl))
  })
  const readiness = async (): Promise<any> => (await fetch(`http://127.0.0.1:${operators}/readyz`)).json()

  test('what is done through one is heard on streams of both, and each notification once', async () => {
    const reader = await world.givenUser(tenant)
    const project = await world.givenProject(boss)
    await world.givenMember(boss, project, reader)
    const task = await world.givenTask(reader, project)
    const tabs: Listener[] = []
    for (let tab = 0; tab < 8; tab++) tabs.push(await givenTab(service.port, reader))

    for (const [at, remote] of remotes.entries())
      (await remote.as(boss.token).post(`/tasks/${task.id}/comments`, { content: `comment ${at}` })).expect(201)

    for (const tab of tabs) await tab.until('all of them', () => tab.ids().length >= remotes.length)
    const inbox = await world.look.rows(
      `select id::float8 from notifications where receiver_id = $1 and type = 'TASK_COMMENTED' order by id`,
      [reader.id],
    )
    for (const tab of tabs) expect([...tab.ids()].sort((a, b) => a - b)).toEqual(inbox.map(({ id }: any) => id))
  })

  test('a person has as many streams as one process would give them; the next closes their oldest', async () => {
    const reader = await world.givenUser(tenant)
    const tabs: Listener[] = []
    const open = () => tabs.map(({ isOpen }) => isOpen)
    /** A worker tells the primary of its streams before it says how it is. */
    const workersHaveTold = () => until(async () => (await readiness()).status === 'ok')
    const openTab = async () => {
      const tab = await listen(service.port, reader.token)
      tabs.push(tab)
      await workersHaveTold()
    }
    while (tabs.length < MOST_STREAMS + 4) await openTab()
    await until(() => expect(open()).toEqual(tabs.map((_, at) => at >= tabs.length - MOST_STREAMS)))

    tabs.at(-1)!.leave()
    await until(() => !tabs.at(-1)!.isOpen)
    // A worker may be asked before it reads that the connection has ended, and not twice.
    await workersHaveTold()
    await workersHaveTold()
    const before = open()
    await openTab()
    await openTab()
    await until(() => expect(open()).toEqual([...before.with(before.indexOf(true), false), true, true]))
  })
})
