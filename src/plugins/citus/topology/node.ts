import { setTimeout as sleep } from 'node:timers/promises'
import { type Call, isUnavailable, type Log, type Server, Unavailable } from '#atrium'
import { prepareNode } from './layout.ts'

/** A node that does not prepare itself in time counts as away until it has. At first it has to be connected to as well. */
const PATIENCE_MS = 500
const FIRST_PATIENCE_MS = 5000

/** A node of a cluster, the coordinator included, as this process reaches it. */
export interface Node {
  readonly name: string
  /** `ready`: tenants may be entered there. `unfit`: it lacks what the migrations made; another node answers for it. */
  state(): 'ready' | 'away' | 'unfit'
  /**
   * Lets the node prepare itself if the layout is another than the last time. Ids of a tenant that has come to it rise
   * only after that, so until then nothing of its tenants is sent there.
   * @param layout of the cluster, as a key
   * @param after the number above which its ids begin
   */
  prepare(layout: string, after: number): Promise<void>
}

const LACKS = 'a node lacks what the migrations made, so its tenants are entered at the coordinator: atrium migrate up'

interface Options {
  name: string
  group: number
  bare: Server
  enterHome: Call
  log: Log
}

export function openNode({ name, group, bare, enterHome, log }: Options): Node {
  let preparedFor = ''
  let state: ReturnType<Node['state']> = 'away'
  let isReported = false
  let patience = FIRST_PATIENCE_MS

  return {
    name,
    state: () => state,
    async prepare(layout, after) {
      if (preparedFor === layout) return
      const answer = bare.send([enterHome, prepareNode(group, after)]).then(
        () => undefined,
        (error: Error) => error,
      )
      const failure = await Promise.race([answer, sleep(patience, new Unavailable('no answer'), { ref: false })])
      patience = PATIENCE_MS
      if (!failure) preparedFor = layout
      state = !failure ? 'ready' : isUnavailable(failure) ? 'away' : 'unfit'
      if (failure && !isReported)
        log.warn(
          { node: name, err: String(failure) },
          state === 'away' ? 'a node is away, and with it its tenants' : LACKS,
        )
      isReported = failure !== undefined
    },
  }
}
