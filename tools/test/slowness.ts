import { createHash } from 'node:crypto'

/** What the work takes on an idle core of a small server of 2024. */
const USUAL_MS = 250
const BLOCK = Buffer.alloc(1_000_000, 'atrium')

/**
 * How many times longer than usual this machine takes now, by its own speed and by what else it does.
 * @returns at least 1
 */
export function slowness(): number {
  const start = performance.now()
  for (let block = 0; block < 330; block++) createHash('sha256').update(BLOCK).digest()
  return Math.max(1, (performance.now() - start) / USUAL_MS)
}
