import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { findProgram } from '#test/programs.ts'
import { filesOfPlugins } from '../../../../tools/of-plugins.ts'
import { buildMeasured } from './measured.ts'

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url))
const FOLDERS = filesOfPlugins('deploy/alerts.yaml').map((path) => dirname(path))
const promtool = findProgram('promtool')

describe.skipIf(!promtool)('Prometheus itself', () => {
  const ask = (args: string[], { input = '', folder = '' } = {}) =>
    execFileSync(promtool!, args, { cwd: ROOT + folder, input, encoding: 'utf8', stdio: ['pipe', 'pipe', 'pipe'] })

  test.each(FOLDERS)('fires each alert of %s when it should, and none while all is well', (folder) => {
    const { groups } = parse(readFileSync(`${ROOT}${folder}/alerts.yaml`, 'utf8'))
    const rules = groups.flatMap(({ rules }: { rules: unknown[] }) => rules)
    expect(ask(['check', 'rules', 'alerts.yaml'], { folder })).toContain(`${rules.length} rules found`)
    expect(ask(['test', 'rules', 'alerts.test.yaml'], { folder })).toContain('SUCCESS')
  })

  test('finds nothing to say about the names and the texts of our metrics', async () => {
    const app = await buildMeasured()
    const ours = (await app.metrics!.page()).text
      .split('\n\n')
      .filter((block) => !/^# HELP (nodejs|process)_/.test(block))
      .join('\n')
    expect(ask(['check', 'metrics'], { input: `${ours}\n` })).toBe('')
    await app.close()
  })
})
