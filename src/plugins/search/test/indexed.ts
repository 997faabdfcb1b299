import { until } from '#test/patience.ts'
import type { Tenant, World } from '#test/world.ts'
import { openScope } from '../../../data/tx/open-scope.ts'
import { isBehind } from '../indexing.ts'

/** The index of a tenant has everything that was committed before, and what is from before its events. */
export const indexed = (world: World, { id }: Tenant): Promise<unknown> =>
  until(async () => !(await isBehind(openScope(world.database, id))))
