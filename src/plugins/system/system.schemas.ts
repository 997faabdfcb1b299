import { view, z } from '#atrium'

const count = z.number().int()

const Series = z
  .object({
    name: view.text,
    unit: view.text.meta({ description: '`1/s`, `ms`, `ratio` (0 to 1), `count` or `bytes`' }),
    points: z
      // A linter of documents wants to know what comes after the two: nothing.
      .array(z.tuple([view.instant, z.number()]).meta({ minItems: 2, maxItems: 2, items: {} }))
      .meta({ description: 'Oldest first' }),
  })
  .meta({
    id: 'HealthSeries',
    examples: [{ name: 'p99', unit: 'ms', points: [['2026-11-22T09:30:10.000Z', 11.4]] }],
  })

const ReadinessCheck = z
  .object({ status: z.enum(['ok', 'away', 'behind', 'open', 'failing']), ms: z.number() })
  .meta({ id: 'ReadinessCheck', examples: [{ ms: 0.4 }] })

const ServerView = z
  .object({
    version: view.text,
    bytes: count,
    connections: z.object({ used: count, most: count }),
  })
  .meta({
    id: 'DatabaseServer',
    examples: [{ version: '18.1', bytes: 48_234_496, connections: { used: 14, most: 100 } }],
  })

const PluginView = z
  .object({ name: view.text, on: z.boolean() })
  .meta({ id: 'Plugin', examples: [{ name: 'calendar', on: true }] })

export const HealthView = z
  .object({
    version: view.text,
    commit: view.maybeText,
    startedAt: view.instant.meta({ description: 'When the process started that has run for the longest' }),
    migrations: count.meta({ description: 'How many are applied' }),
    database: ServerView,
    readiness: z.object({
      status: z.enum(['ok', 'degraded', 'unavailable', 'stopping']),
      checks: z.record(z.string(), ReadinessCheck),
    }),
    plugins: z.array(PluginView),
    series: z.array(Series),
  })
  .meta({
    id: 'Health',
    examples: [
      {
        version: '1.0.0',
        commit: '4f1c0d7e6b0a4f2f9f1f6d1d3c5b7a9e8d6c4b2a',
        migrations: 94,
        startedAt: '2026-11-22T08:00:00.000Z',
        readiness: { status: 'ok', checks: { database: { status: 'ok', ms: 0.4 } } },
      },
    ],
  })

export const JobView = z
  .object({
    name: view.text,
    lastRunAt: view.maybeInstant,
    lastDurationMs: count.nullable(),
    lastResult: z.enum(['ok', 'failed']).nullable(),
    nextRunAt: view.maybeInstant,
  })
  .meta({ id: 'Job', examples: [{ name: 'expired rows', lastDurationMs: 42 }] })

export const FindingView = z
  .object({
    name: view.text,
    state: z.enum(['ok', 'warning', 'failed']),
    message: view.text,
    cure: view.maybeText.meta({ description: 'What to do about it' }),
  })
  .meta({ id: 'Finding', examples: [{ name: 'migrations', message: 'all 94 are applied', cure: null, state: 'ok' }] })
