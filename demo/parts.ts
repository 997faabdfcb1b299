import type { Scope } from '../src/data/tx/scope.ts'
import type { Sealer } from '../src/util/seal.ts'
import { defaultsOfPlugins } from '../tools/of-plugins.ts'
import type { Does } from './steps.ts'
import type { Way } from './way.ts'

/** What a plug-in adds to the demo: the default export of `demo.ts` in its folder. */
export interface Part<Made extends object> {
  ways: { [D in Does]?: Way<D, Made> }
  /** What shows that a step was done, by the names that the story uses. */
  findMade(scope: Scope, sealer: Sealer): Promise<Made>
}

/** Those of the plug-ins that are here. A step that none of them knows is left out of the story. */
export const parts: readonly Part<any>[] = await defaultsOfPlugins('demo.ts')
