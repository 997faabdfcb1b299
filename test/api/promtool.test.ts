import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { buildMeasured } from '../support/measured.ts'
import { findProgram } from '../support/programs.ts'

const FOLDER = fileURLToPath(new URL('../../deploy/prometheus/', import.meta.url))
const promtool = findProgram('promtool')

describe.skipIf(!promtool)('Prometheus itself', () => {
  const ask = (args: string[], input = '') =>
    execFileSync(promtool!, args, { cwd: FOLDER, input, encoding: 'utf8', stdio: ['pipe', 'pipe', 'pipe'] })

  test('fires each alert when it should, and none while all is well', () => {
    const { groups } = parse(readFileSync(`${FOLDER}alerts.yaml`, 'utf8'))
    const rules = groups.flatMap(({ rules }: { rules: unknown[] }) => rules)
    expect(ask(['check', 'rules', 'alerts.yaml'])).toContain(`${rules.length} rules found`)
    expect(ask(['test', 'rules', 'alerts.test.yaml'])).toContain('SUCCESS')
  })

  test('finds nothing to say about the names and the texts of our metrics', async () => {
    const app = await buildMeasured()
    const ours = (await app.metrics!.metrics())
      .split('\n\n')
      .filter((block) => !/^# HELP (nodejs|process)_/.test(block))
      .join('\n')
    expect(ask(['check', 'metrics'], `${ours}\n`)).toBe('')
    await app.close()
  })
})
