type Duty = () => unknown
const duties = new Set<Duty>()
const ends = new Set<Duty>()

/** Test files share their process: `duty` is called after each of them, whether its tests passed or not. */
export function afterEachFile(duty: Duty): void {
  duties.add(duty)
}

/** For what a test file has started: it ends after the file at the latest, the newest first. @returns ends it now */
export function endsWithFile(end: () => unknown): () => Promise<void> {
  const ending = once(async () => {
    ends.delete(ending)
    await end()
  })
  ends.add(ending)
  return ending
}

/** Ends what the file has started, then calls all duties, the newest first, also those after one that fails. */
export async function cleanUp(): Promise<void> {
  const faults: unknown[] = []
  for (const duty of [...[...ends].reverse(), ...[...duties].reverse()])
    try {
      await duty()
    } catch (fault) {
      faults.push(fault)
    }
  if (faults.length > 0) throw new AggregateError(faults, 'what the file left could not all be removed')
}

/** A way to end something that may be called again, also meanwhile: all calls wait for the one end. */
export function once(end: () => Promise<void>): () => Promise<void> {
  let ended: Promise<void> | undefined
  return () => (ended ??= end())
}
