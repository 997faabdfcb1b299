import type { Config } from '../../config/config.ts'
import type { Coordination } from '../../data/coordination/coordination.ts'
import type { Log } from '../../kernel/log.ts'
import { port } from '../port.ts'

/** Opens what replicas on several machines coordinate through, if the configuration names any. Never waits for it. */
export type OpenCoordination = (config: Config, log: Log) => Promise<Coordination | undefined>
export const openCoordination = port<OpenCoordination>('what replicas coordinate through', async () => undefined)
