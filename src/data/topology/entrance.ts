import type { Call, Prepared } from '../wire/flight.ts'

/** The name of the statement. */
export const ENTER = 'enter'

/** Enters a tenant in the role of the service, for as long as the flight lasts; the limits apply as long. */
export function entrance(limits: Record<string, number> = {}): Prepared {
  const own = [`'role', $1`, `'app.tenant_id', $2`]
  const settings = [...own, ...Object.entries(limits).map(([name, ms]) => `'${name}', '${ms}'`)]
  return { name: ENTER, text: `select ${settings.map((setting) => `set_config(${setting}, true)`).join(', ')}` }
}

/** Whether it enters a tenant. */
export const isEntrance = ({ prepared }: Call) => prepared.name === ENTER
