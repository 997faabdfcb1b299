/**
 * Works on all items, at most `width` at the same time. Rejects with the first failure, after those in progress have
 * ended.
 */
export async function fewAtOnce<Item>(
  items: Iterable<Item>,
  width: number,
  work: (item: Item) => Promise<unknown>,
): Promise<void> {
  const waiting = [...items][Symbol.iterator]()
  const workers = Array.from({ length: width }, async () => {
    for (const item of waiting) await work(item)
  })
  const ends = await Promise.allSettled(workers)
  const failed = ends.find((end) => end.status === 'rejected')
  if (failed) throw failed.reason
}
