import { type DomainRoutes, findServerFacts, sharedRuns, sharedScope, z } from '#atrium'
import { keepHistory } from './history/history.ts'
import { FindingView, HealthView, JobView } from './system.schemas.ts'

const STATES = { ok: 'ok', warn: 'warning', FAIL: 'failed' } as const

/** The installation itself, for the system administrator. */
export const systemRoutes: DomainRoutes = async (app) => {
  const history = keepHistory(app)
  const examine = sharedRuns((_: 'it') => app.examine())

  app.get(
    '/system/health',
    {
      config: { access: 'system:tenant:list' },
      schema: {
        operationId: 'getHealth',
        summary: 'Read the health of the service',
        description: [
          'What runs, the database, and the last hour by ten seconds, which is kept in memory. The workers of one machine are seen together. Replicas on other machines are seen if Redis is configured; otherwise the hour is that of the machine that answers.',
          'The series are `requests`, `refusals` (4xx), `failures` (5xx), `p50`, `p99`, `eventLoop`, `connections` of clients, `databaseConnections`, `caches`, `memory`, `processes`, and what waits: `outbox`, `mail`, `deliveries`. What waits is measured if the console is on.',
        ].join('\n\n'),
        response: { 200: HealthView },
      },
    },
    async () => {
      const [{ migrations, used, most, ...server }, readiness] = await Promise.all([
        findServerFacts(sharedScope(app.database), {}).then((found) => found!),
        app.readiness(),
      ])
      return {
        version: app.build.version,
        commit: app.build.commit ?? null,
        startedAt: new Date(history.startedAt()).toISOString(),
        migrations,
        database: { ...server, connections: { used, most } },
        plugins: [...app.plugins],
        readiness,
        series: history.series(),
      }
    },
  )

  app.get(
    '/system/jobs',
    {
      config: { access: 'system:tenant:list' },
      schema: {
        operationId: 'listJobs',
        summary: 'List the background jobs',
        description:
          'Each with its last run and its next, in all processes that `/system/health` sees. `lastRunAt` is null until the first run after the start, and `nextRunAt` is null during a run.',
        response: { 200: z.array(JobView) },
      },
    },
    async () => history.jobs(),
  )

  app.get(
    '/system/findings',
    {
      config: { access: 'system:tenant:list' },
      schema: {
        operationId: 'listFindings',
        summary: 'Examine the installation',
        description:
          'What `atrium doctor` finds: whether the configuration, the database, Redis, the files and the mail server are as the service needs them. It takes a moment.',
        response: { 200: z.array(FindingView) },
      },
    },
    async () =>
      (await examine('it')).map(({ check, verdict, what, remedy = null }) => ({
        name: check,
        state: STATES[verdict],
        message: what,
        cure: remedy,
      })),
  )
}
