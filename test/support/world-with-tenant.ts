import { openWorld } from './world.ts'

/** A world for the tests of one file, with a tenant and its administrator. */
export async function openWorldWithTenant() {
  const world = await openWorld()
  const tenant = await world.givenTenant()
  return { world, tenant, boss: tenant.administrator }
}
