import type { Config } from '../config/config.ts'
import type { Database } from '../data/wire/database.ts'

/** What one check has found. `FAIL`: the service would not start, or would not keep its promises. */
export interface Finding {
  check: string
  verdict: 'ok' | 'warn' | 'FAIL'
  /** what is the case, in a few words */
  what: string
  /** what to do about it */
  remedy?: string
}

export const ok = (check: string, what: string): Finding => ({ check, verdict: 'ok', what })
export const warn = (check: string, what: string, remedy: string): Finding => ({ check, verdict: 'warn', what, remedy })
export const failed = (check: string, what: string, remedy: string): Finding => ({
  check,
  verdict: 'FAIL',
  what,
  remedy,
})

/** What a domain examines for the doctor. */
export interface Checks {
  /** of what surrounds the service */
  surroundings?(config: Config): Promise<Finding[]>
  /** of the database, as soon as it can be reached */
  reached?(url: string, role: string): Promise<Finding[]>
  /** of what is stored; asked only if the database is as the service needs it */
  stored?(database: Database): Promise<Finding[]>
}
