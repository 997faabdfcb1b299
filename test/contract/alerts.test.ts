import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import type { Coordination } from '../../src/data/redis/coordination.ts'
import { testConfig } from '../support/config.ts'
import { programFor } from '../support/programs.ts'
import { buildOffline } from '../support/routes.ts'

/** The alerts read metrics that there are, and fire when they should. */
const FOLDER = fileURLToPath(new URL('../../deploy/prometheus/', import.meta.url))
const { groups } = parse(readFileSync(`${FOLDER}alerts.yaml`, 'utf8'))
const alerts: { alert: string; expr: string; labels: { severity: string } }[] = groups.flatMap(
  ({ rules }: any) => rules,
)
const { tests } = parse(readFileSync(`${FOLDER}alerts.test.yaml`, 'utf8'))
const tried = tests.flatMap((one: any) => one.alert_rule_test as { alertname: string; exp_alerts?: unknown[] }[])

let app: Awaited<ReturnType<typeof buildOffline>>
beforeAll(async () => {
  const channel = { isOpen: () => false, send() {}, close() {} }
  const redis = { dependency: 'redis', up: () => false, openChannel: () => channel } as unknown as Coordination
  app = await buildOffline(testConfig({ METRICS_PORT: '9464' }), redis)
})
afterAll(() => app.close())

describe.each(alerts)('$alert', ({ alert, expr, labels }) => {
  test('reads metrics that are told, by labels that they have', () => {
    const told = new Map(
      (app.metrics!.getMetricsAsArray() as unknown as { name: string; labelNames: string[] }[]).map((metric) => [
        metric.name,
        [...metric.labelNames, 'job', 'instance', 'le'],
      ]),
    )
    for (const [, name, selector] of expr.matchAll(/(\w+)\{([^}]*)\}/g)) {
      if (name === 'up') continue
      const known = told.get(name!) ?? told.get(name!.replace(/_bucket$/, ''))
      expect(known, `${alert} reads ${name}`).toBeDefined()
      for (const [, label] of selector!.matchAll(/(\w+)\s*=/g)) expect(known, `${alert}: ${name}`).toContain(label)
    }
    expect(['page', 'ticket']).toContain(labels.severity)
  })

  test('is tried: it fires once, and is silent while all is well', () => {
    const times = tried.filter(({ alertname }: any) => alertname === alert)
    expect(times.map(({ exp_alerts = [] }: any) => exp_alerts.length).sort()).toEqual([0, 1])
  })
})

const promtool = programFor('alerts before Prometheus itself', 'promtool', 'prometheus')

describe.skipIf(!promtool)('Prometheus itself', () => {
  const ask = (args: string[], input = '') =>
    execFileSync(promtool!, args, { cwd: FOLDER, input, encoding: 'utf8', stdio: ['pipe', 'pipe', 'pipe'] })

  test('fires each alert when it should, and none while all is well', () => {
    expect(ask(['check', 'rules', 'alerts.yaml'])).toContain(`${alerts.length} rules found`)
    expect(ask(['test', 'rules', 'alerts.test.yaml'])).toContain('SUCCESS')
  })

  test('finds nothing to say about the names and the texts of our metrics', async () => {
    const ours = (await app.metrics!.metrics())
      .split('\n\n')
      .filter((block) => !/^# HELP (nodejs|process)_/.test(block))
      .join('\n')
    expect(ask(['check', 'metrics'], `${ours}\n`)).toBe('')
  })
})
