import { EXECUTOR, type Tx } from './scope.ts'

/** Something that an action relies on. */
export interface Reliance {
  /** Finds out that it is so, or throws the fault that says why not. */
  look(): Promise<void>
  /** Queues the condition of the commit. `since` is the moment from which on nothing may have changed, if nobody looked. */
  require(since: string | undefined): void
}

/**
 * Relies on something that the action does not need to read. The first try of a command assumes it, which costs no
 * query, and requires it at the commit. If it is not so, the command starts over immediately, looks, and says why not.
 * A command under a key always looks: its claim is a flight before the commit anyway.
 */
export async function relyOn(tx: Tx<any>, { look, require }: Reliance): Promise<void> {
  const trusts = tx[EXECUTOR].trusts()
  if (!trusts) await look()
  tx[EXECUTOR].atCommit(() => require(trusts ? tx.now : undefined))
}
