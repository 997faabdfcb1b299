export type Repeated = ReturnType<typeof whileNeeded>

/**
 * Work that is repeated, with a pause between its runs, for as long as someone needs it; an idle process runs no timer.
 * A sweep is different: it never stops, and slows down with its cost, which a heartbeat must not.
 */
export function whileNeeded(pauseMs: number, isNeeded: () => boolean, work: () => Promise<void>) {
  let timer: NodeJS.Timeout | undefined
  let isRunning = false
  let hasStopped = false

  async function run() {
    await work()
    if (isNeeded() && !hasStopped) timer = setTimeout(run, pauseMs).unref()
    else isRunning = false
  }

  return {
    /** Begins with a pause, unless it runs already. */
    start() {
      if (isRunning || hasStopped) return
      isRunning = true
      timer = setTimeout(run, pauseMs).unref()
    },
    stop() {
      hasStopped = true
      clearTimeout(timer)
    },
  }
}
