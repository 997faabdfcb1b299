import type { Prepared } from '../wire/flight.ts'

/** The name of the statement. */
export const ENTER = 'enter'

/**
 * Settings that a pooler does not allow on a connection are set by each flight: the limits apply only to it, like the
 * role.
 */
export function entrance(limits: Record<string, number>): Prepared {
  const own = [`'role', $1`, `'app.tenant_id', $2`]
  const settings = [...own, ...Object.entries(limits).map(([name, ms]) => `'${name}', '${ms}'`)]
  return { name: ENTER, text: `select ${settings.map((setting) => `set_config(${setting}, true)`).join(', ')}` }
}
