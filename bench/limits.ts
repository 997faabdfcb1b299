import { writeFile } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { Errand } from './alone.ts'
import type { Bench } from './compare.ts'
import { load } from './load.ts'
import { type Server, startServer } from './servers.ts'
import type { Request, Work } from './works.ts'

/** What the machine could do without a part of the server, in requests a second. */
export interface Limits {
  /** the same statements without HTTP; undefined for a work that is not a command or read of the data room */
  database: number | undefined
  /** the same bytes from a bare Fastify route */
  bare: number
}

const OF_DATA = ['W1', 'W2', 'W3', 'W4']
/** Headers that Node and Fastify add themselves. */
const OWN_HEADERS = ['date', 'connection', 'keep-alive', 'content-length', 'transfer-encoding']

/** Starts the bare routes, with the answers that `original` gives. */
export async function startBare({ works, directory }: Bench, original: Server): Promise<Server> {
  const answers = new Map<string, object>()
  for (const work of works) {
    const request = work.sample(0)
    const key = `${request.method} ${work.route}`
    if (!answers.has(key)) answers.set(key, await record(original, work, request))
  }
  const file = join(directory, 'answers.json')
  await writeFile(file, JSON.stringify([...answers.values()]))
  return startServer('bare', { ANSWERS: file })
}

async function record({ port }: Server, { route }: Work, { method, path, headers, body }: Request) {
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
    method,
    headers,
    ...(body && { body: JSON.stringify(body) }),
  })
  const kept = [...answer.headers].filter(([name]) => !OWN_HEADERS.includes(name))
  return { method, route, status: answer.status, headers: Object.fromEntries(kept), body: await answer.text() }
}

/** Measures both limits of a work, one after the other. */
export async function limitsOf(bench: Bench, bare: Server, work: Work): Promise<Limits> {
  const { requests, seconds } = await load(bare.port, work.senders.map(withoutEnd), bench.seconds)
  const database = OF_DATA.includes(work.name) ? await databaseAlone(bench, work.name) : undefined
  return { database, bare: requests / seconds }
}

/** A bare route changes nothing, so no version rises. */
function withoutEnd({ next }: Work['senders'][number]) {
  return { next, landed() {} }
}

async function databaseAlone({ members, role, environment, seconds, connections }: Bench, work: string) {
  const threads = Math.max(1, availableParallelism() - 1)
  const width = Math.ceil(connections / threads)
  const rates = Array.from({ length: threads }, (_, thread) => {
    const errand: Errand = {
      url: environment.DATABASE_URL!,
      role,
      work,
      members: members.slice(0, 50),
      width,
      first: thread * width,
      seconds,
    }
    return rateOf(new Worker(new URL('./alone.ts', import.meta.url), { workerData: errand }))
  })
  return (await Promise.all(rates)).reduce((sum, rate) => sum + rate, 0)
}

function rateOf(worker: Worker): Promise<number> {
  return new Promise((resolve, reject) => {
    let rate = Number.NaN
    worker.once('message', (told: number) => (rate = told))
    worker.once('error', reject)
    worker.once('exit', () => resolve(rate))
  })
}
