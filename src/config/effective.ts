import { type Environment, readVariables, type Source } from './environment.ts'
import { SECTIONS, type Variable } from './variables.ts'

export interface Effective {
  name: string
  /** fit to be shown to anybody; empty where nothing holds */
  shown: string
  source: Source
}

/** Every variable with what holds for it, in the order of `.env.example`; secrets are masked. */
export function effectiveValues(environment: Environment): Effective[] {
  const { readings, sourceOf } = readVariables(environment)
  return Object.entries(SECTIONS).flatMap(([section, variables]) =>
    Object.entries<Variable>(variables).map(([key, variable]) => {
      const value = (readings as Record<string, Record<string, unknown>>)[section]![key]
      return { name: variable.name, shown: masked(variable, value), source: sourceOf(variable.name) }
    }),
  )
}

function masked({ hidden }: Variable, value: unknown): string {
  if (value === undefined) return ''
  if (hidden === 'whole') return '***'
  return hidden === 'password' ? withoutPassword(String(value)) : String(value)
}

/** An address that cannot be read hides whole: its password could be anywhere. */
export function withoutPassword(address: string): string {
  const url = URL.parse(address)
  if (!url) return '***'
  if (url.password) url.password = '***'
  for (const name of url.searchParams.keys()) if (/pass|secret|key/i.test(name)) url.searchParams.set(name, '***')
  return url.href
}
