import { type Finding, failed, ok, warn } from '../../src/atrium/finding.ts'
import type { Config } from '../../src/config/config.ts'
import { countSealed, type SealedWith } from '../../src/data/setup/probes.ts'
import { reasonOf } from '../../src/util/reason-of.ts'
import { sealWith } from '../../src/util/seal.ts'

/** Do the configured keys open every stored secret? */
export async function checkSecrets(config: Config, url: string, role: string): Promise<Finding[]> {
  try {
    return [judgeSecrets(await countSealed(url, role), sealWith(config.sealingSecrets).keyNames)]
  } catch (error) {
    return [warn('secrets', `could not be counted: ${reasonOf(error as Error)}`, 'npx atrium secrets reseal says more')]
  }
}

/** @param keys names of the configured keys, the newest first */
export function judgeSecrets(sealed: readonly SealedWith[], keys: readonly string[]): Finding {
  const lost = sealed.filter(({ key }) => !keys.includes(key))
  if (lost.length > 0) {
    const byColumn = Map.groupBy(lost, ({ column }) => column)
    const what = [...byColumn].map(([column, of]) => `${totalOf(of)} of ${column}`).join(', ')
    const remedy = 'add the key that encrypted them to the end of ENCRYPTION_KEY'
    return failed('secrets', `no configured key decrypts ${what}`, remedy)
  }
  const old = totalOf(sealed.filter(({ key }) => key !== keys[0]))
  if (old > 0) return warn('secrets', `${old} are encrypted with an older key`, 'npx atrium secrets reseal')
  return ok('secrets', `${totalOf(sealed)} are stored, all encrypted with the newest key`)
}

function totalOf(sealed: readonly SealedWith[]): number {
  return sealed.reduce((sum, { count }) => sum + count, 0)
}
