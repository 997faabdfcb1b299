import type { Atrium } from '../../client/index.ts'
import { defaultsOfPlugins } from '../of-plugins.ts'
import type { Person, Tour } from './cast.ts'

/** Who is there when the plug-ins tell their parts. */
export interface Cast {
  admin: Atrium
  projectId: number
  /** the administrator of the other tenant with their access token, and its code */
  neighbour: Atrium
  token: string
  tenant: string
  /** what the neighbour has ordered */
  orderNo: string
  /** somebody whose address is known to be theirs, if a part before knows one */
  invited?: Person & { email: string }
}

/** What a plug-in adds to the tour: the default export of `test/tour.ts` in its folder. */
export interface Part {
  /** a sentence of it */
  shows: string
  tell(tour: Tour, cast: Cast): Promise<void>
}

/** Those of the plug-ins that are here, in the order of their names. */
export const parts: readonly Part[] = await defaultsOfPlugins('test/tour.ts')
