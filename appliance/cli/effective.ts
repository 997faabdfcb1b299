import { type Environment, type Readings, readVariables, type Source } from '../../src/config/environment.ts'
import type { Variable } from '../../src/config/variable.ts'
import { BY_KEY } from '../../src/config/variables.ts'

export interface Effective {
  name: string
  /** safe to show to anyone; empty if there is no value */
  shown: string
  source: Source
}

/** Every variable with its effective value, in the order of `.env.example`; secrets are masked. */
export function effectiveValues(environment: Environment): Effective[] {
  const { readings, sourceOf } = readVariables(environment)
  return Object.entries<Variable>(BY_KEY).map(([key, variable]) => ({
    name: variable.name,
    shown: masked(variable, readings[key as keyof Readings]),
    source: sourceOf(variable.name),
  }))
}

function masked({ hidden }: Variable, value: unknown): string {
  if (value === undefined) return ''
  if (hidden === 'whole') return '***'
  return hidden === 'password' ? withoutPassword(String(value)) : String(value)
}

/** An address that cannot be parsed is hidden completely: its password could be anywhere. */
export function withoutPassword(address: string): string {
  const url = URL.parse(address)
  if (!url) return '***'
  if (url.password) url.password = '***'
  for (const name of url.searchParams.keys()) if (/pass|secret|key/i.test(name)) url.searchParams.set(name, '***')
  return url.href
}
