import { once } from 'node:events'
import { get } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'

/** What was read of exports. */
export interface Exported {
  whole: number
  bytes: number
}

interface Way {
  port: number
  token: string
  /** what is read, such as `/api/v1/tenant/export` */
  path: string
  accept?: string
}

/**
 * Reads an export again and again, in a thread of its own, because reading must not delay the requests that this one times.
 * @returns ends the export that is under way
 */
export function keepExporting(way: Way): () => Promise<Exported> {
  const thread = new Worker(new URL(import.meta.url), { workerData: way })
  return async () => {
    thread.postMessage('end')
    const [exported] = await once(thread, 'message')
    await thread.terminate()
    return exported
  }
}

async function exportOnce(
  { port, token, path, accept = '*/*' }: Way,
  exported: Exported,
  signal: AbortSignal,
): Promise<void> {
  const headers = { authorization: `Bearer ${token}`, accept }
  const request = get({ port, path, headers, signal })
  // Its answer says so too.
  request.on('error', () => {})
  const [answer] = await once(request, 'response', { signal })
  if (answer.statusCode === 409) {
    // The one before was cut off a moment ago.
    answer.resume()
    return void (await sleep(20, undefined, { signal }))
  }
  if (answer.statusCode !== 200) throw new Error(`the export was refused: ${answer.statusCode}`)
  for await (const chunk of answer) exported.bytes += chunk.length
  exported.whole++
}

if (!isMainThread) {
  const ending = new AbortController()
  parentPort!.once('message', () => ending.abort())
  const exported: Exported = { whole: 0, bytes: 0 }
  while (!ending.signal.aborted)
    await exportOnce(workerData, exported, ending.signal).catch((error) => {
      if (!ending.signal.aborted) throw error
    })
  parentPort!.postMessage(exported)
}
