import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Bench } from './compare.ts'
import { load } from './load.ts'
import { type Server, type ServerName, startServer } from './servers.ts'

const WARM_UP_SECONDS = 2
const MOST_LINES = 25

/**
 * Prints where a server's time goes, work by work: each has its own server process, and so its own profile, without
 * start and warm-up. Native functions such as `writev` are mostly the kernel's time.
 */
export async function profile(
  { works, seconds, environment }: Bench,
  name: ServerName,
  dir: string,
  servers: Server[],
) {
  for (const work of works) {
    const place = join(dir, work.name)
    const server = await startServer(name, environment, ['--cpu-prof', '--cpu-prof-dir', place])
    servers.push(server)
    await load(server.port, work.senders, WARM_UP_SECONDS)
    const measured = await load(server.port, work.senders, seconds)
    await server.stop()
    const { functions, places } = await readProfile(place, seconds)
    const rate = (measured.requests / measured.seconds).toFixed(0)
    console.log(`\n${work.name} ${work.title}: ${name}, ${rate} requests/s while profiled`)
    console.log(`\n  self time by place\n${shares(places)}\n\n  self time by function\n${shares(functions)}`)
  }
}

function shares(times: SelfTime[]): string {
  return times
    .slice(0, MOST_LINES)
    .map(({ where, share }) => `  ${(share * 100).toFixed(1).padStart(5)} %  ${where}`)
    .join('\n')
}

interface CpuProfile {
  nodes: {
    id: number
    callFrame: { functionName: string; url: string; lineNumber: number }
    children?: number[]
  }[]
  samples: number[]
  /** µs since the sample before */
  timeDeltas: number[]
}

interface SelfTime {
  where: string
  /** share of the time in which the process was not idle */
  share: number
}

/** Self time by function and by place, from the only profile in a directory; only its last `seconds`. */
async function readProfile(dir: string, seconds: number): Promise<{ functions: SelfTime[]; places: SelfTime[] }> {
  const [file] = (await readdir(dir)).filter((name) => name.endsWith('.cpuprofile'))
  const profile: CpuProfile = JSON.parse(await readFile(join(dir, file!), 'utf8'))
  const frames = new Map(profile.nodes.map(({ id, callFrame }) => [id, callFrame]))
  const functions = new Map<string, number>()
  const places = new Map<string, number>()
  let busy = 0
  let left = seconds * 1e6
  for (let at = profile.samples.length - 1; at >= 0 && left > 0; at--) {
    const { functionName, url, lineNumber } = frames.get(profile.samples[at]!)!
    const took = profile.timeDeltas[at]!
    left -= took
    if (functionName === '(idle)') continue
    busy += took
    const place = url ? shortened(url) : functionName
    add(functions, url ? `${functionName || '(anonymous)'}  ${place}:${lineNumber + 1}` : functionName, took)
    add(places, url ? packageOf(place) : functionName, took)
  }
  return { functions: ranked(functions, busy), places: ranked(places, busy) }
}

function add(sums: Map<string, number>, key: string, took: number) {
  sums.set(key, (sums.get(key) ?? 0) + took)
}

function ranked(sums: Map<string, number>, busy: number): SelfTime[] {
  return [...sums].map(([where, took]) => ({ where, share: took / busy })).sort((a, b) => b.share - a.share)
}

function shortened(url: string): string {
  return url
    .replace(/^file:\/\//, '')
    .replace(/^.*\/node_modules\//, '')
    .replace(/^.*\/(src|bench)\//, '$1/')
}

/** Our files stay files; a package is one place, and so is each part of Node. */
function packageOf(place: string): string {
  if (place.startsWith('src/') || place.startsWith('bench/')) return place
  if (place.startsWith('node:')) return place.split('/').slice(0, 2).join('/')
  return place
    .split('/')
    .slice(0, place.startsWith('@') ? 2 : 1)
    .join('/')
}
