import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { parts } from '../../tools/tour/parts.ts'
import { TEST_SECRET } from '../support/config.ts'
import { openWorld } from '../support/world.ts'

const TOUR = fileURLToPath(new URL('../../tools/tour/tour.ts', import.meta.url))

const world = await openWorld()
const url = await world.app.listen({ port: 0, host: '127.0.0.1' })

test('the tour finds everything as it says, on a service that has just been made, and again', async () => {
  // The same configuration as the service, so that the provider of payments signs with the right secret.
  const { PATH, TEST_PATIENCE_MS } = process.env
  const env = { PATH, TEST_PATIENCE_MS, JWT_SECRET: TEST_SECRET }
  const walk = () => promisify(execFile)(process.execPath, [TOUR, '--url', url], { env })
  for (let time = 0; time < 2; time++) {
    const { stdout } = await walk()
    expect(stdout).toContain('every answer as expected')
    // Parts that are left out where the configuration of the service is another one.
    for (const { shows } of parts) expect(stdout).toContain(shows)
  }
})
