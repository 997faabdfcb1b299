import type { Config } from '../../config/config.ts'
import { ports } from '../port.ts'

/** A line at the end of a start in development: what it is about, and its words. */
export type Welcome = readonly [name: string, words: string]

/** What a start in development says about a domain. */
export const welcomes = ports<(config: Config, address: string) => readonly Welcome[]>(
  'what a start in development tells',
)
