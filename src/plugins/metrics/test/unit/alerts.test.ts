import { readFileSync } from 'node:fs'
import { afterAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { filesOfPlugins } from '../../../../../tools/of-plugins.ts'
import { buildMeasured, declaredBy } from '../measured.ts'

/** The alerts read metrics that there are, and fire when they should. */
const FILES = filesOfPlugins('deploy/alerts.yaml').map((path) => path.replace('.yaml', ''))
const read = (path: string) => parse(readFileSync(path, 'utf8'))
const alerts: {
  alert: string
  expr: string
  labels: { severity: string }
  annotations: { summary: string; description: string }
}[] = FILES.flatMap((path) => read(`${path}.yaml`).groups.flatMap(({ rules }: any) => rules))
const tried = FILES.flatMap((path) =>
  read(`${path}.test.yaml`).tests.flatMap(
    (one: any) => one.alert_rule_test as { alertname: string; exp_alerts?: unknown[] }[],
  ),
)

const app = await buildMeasured()
afterAll(() => app.close())

/** What a text of an alert becomes, whatever its values are. */
const ofTemplate = (text: string) =>
  new RegExp(
    `^${text
      .split(/\{\{.*?\}\}/)
      .map((part) => RegExp.escape(part))
      .join('.+')}$`,
  )

describe.each(alerts)('$alert', ({ alert, expr, labels, annotations }) => {
  test('reads metrics that are reported, by labels that they have', () => {
    const told = new Map(
      declaredBy(app).map(({ name, labelNames }) => [name, [...labelNames, 'job', 'instance', 'le']]),
    )
    for (const [, name, selector] of expr.matchAll(/(\w+)\{([^}]*)\}/g)) {
      if (name === 'up') continue
      const known = told.get(name!) ?? told.get(name!.replace(/_bucket$/, ''))
      expect(known, `${alert} reads ${name}`).toBeDefined()
      for (const [, label] of selector!.matchAll(/(\w+)\s*=/g)) expect(known, `${alert}: ${name}`).toContain(label)
    }
    expect(['page', 'ticket']).toContain(labels.severity)
  })

  test('is expected with the words that it has', () => {
    const expected = tried.flatMap(({ alertname, exp_alerts = [] }: any) => (alertname === alert ? exp_alerts : []))
    const words = [annotations.summary, annotations.description].map((text) => ofTemplate(text))
    for (const { exp_annotations } of expected as any[]) {
      expect(exp_annotations.summary).toMatch(words[0]!)
      expect(exp_annotations.description).toMatch(words[1]!)
    }
  })

  test('is tried: it fires once, and is silent while all is well', () => {
    const times = tried.filter(({ alertname }: any) => alertname === alert)
    expect(times.map(({ exp_alerts = [] }: any) => exp_alerts.length).sort()).toEqual([0, 1])
  })
})
