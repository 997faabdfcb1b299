import { afterAll } from 'vitest'
import { openWorld } from './world.ts'

/** A world for the tests of one file, with a tenant and its administrator; it is closed after the last of them. */
export async function openWorldWithTenant() {
  const world = await openWorld()
  afterAll(() => world.close())
  const tenant = await world.givenTenant()
  return { world, tenant, boss: tenant.administrator }
}
