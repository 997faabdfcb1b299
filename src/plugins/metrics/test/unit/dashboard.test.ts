import { readFileSync } from 'node:fs'
import { afterAll, expect, test } from 'vitest'
import { expectNone } from '#test/expect-none.ts'
import { filesOfPlugins } from '../../../../../tools/of-plugins.ts'
import { buildMeasured, declaredBy } from '../measured.ts'

/** The dashboards read the metrics that there are: a name that is changed in one place only leaves a panel empty. */
interface Panel {
  title: string
  type: string
  targets?: { expr: string }[]
}
const expressions = filesOfPlugins('deploy/dashboard.json').flatMap((path) => {
  const { panels } = JSON.parse(readFileSync(path, 'utf8'))
  return (panels as Panel[]).flatMap(({ title, targets = [] }) => targets.map(({ expr }) => ({ title, expr })))
})

const app = await buildMeasured()
const metrics = declaredBy(app)
const types = new Map(metrics.map(({ name, type }) => [name, type]))
const labels = new Map(metrics.map(({ name, labelNames }) => [name, new Set(labelNames)]))
afterAll(() => app.close())

/** The metrics that an expression reads: names in front of a selector. */
function metricsIn(expr: string): { name: string; selector: string }[] {
  return [...expr.matchAll(/(\w+)\{([^}]*)\}/g)].map(([, name, selector]) => ({
    name: name!,
    selector: selector!,
  }))
}

const bare = (name: string) => (types.has(name) ? name : name.replace(/_(bucket|sum|count)$/, ''))

test('every panel reads metrics that are reported', () => {
  expect(expressions.length).toBeGreaterThan(20)
  for (const { title, expr } of expressions) {
    expect(metricsIn(expr), `The panel ${title} reads no metric: ${expr}`).not.toEqual([])
    for (const { name } of metricsIn(expr)) expect([...types.keys()], `${title}: ${expr}`).toContain(bare(name))
  }
})

test('every expression groups by labels that its metrics have', () => {
  for (const { title, expr } of expressions) {
    const known = new Set([
      'le',
      'job',
      'instance',
      ...metricsIn(expr).flatMap(({ name }) => [...labels.get(bare(name))!]),
    ])
    const used = [
      ...[...expr.matchAll(/by \(([^)]*)\)/g)].flatMap(([, names]) => names!.split(',')),
      ...metricsIn(expr).flatMap(({ selector }) => [...selector.matchAll(/(\w+)\s*(?:=|!)/g)].map(([, name]) => name!)),
    ].map((name) => name.trim())
    for (const name of used) expect([...known], `${title}: ${expr}`).toContain(name)
  }
})

test('a counter is read as a rate, a histogram by its buckets', () => {
  for (const { title, expr } of expressions)
    for (const { name } of metricsIn(expr)) {
      const counts = types.get(bare(name)) !== 'gauge'
      expect(new RegExp(`(rate|increase)\\(${name}\\{`).test(expr), `${title}: ${expr}`).toBe(counts)
      if (types.get(bare(name)) === 'histogram') expect(name).toMatch(/_bucket$/)
    }
})

test('every metric of ours is on the dashboard', () => {
  const shown = new Set(expressions.flatMap(({ expr }) => metricsIn(expr).map(({ name }) => bare(name))))
  const ours = [...types.keys()].filter((name) => !/^(nodejs|process)_/.test(name))
  expectNone(
    ours
      .filter((name) => !shown.has(name))
      .map(
        (name) => `The metric ${name} is in no panel: add one to deploy/dashboard.json of its plug-in, or of metrics`,
      ),
  )
})
