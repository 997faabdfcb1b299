import { Readable } from 'node:stream'
import { nowhere, type Said, type Surroundings } from './cli.ts'

/** It runs whenever it is loaded. */
const CLI = new URL('../../appliance/cli.ts', import.meta.url).href
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
let loads = 0
let last: Promise<unknown> = Promise.resolve()

/**
 * The same command line in this process, for a small part of what a process of its own costs. Each command has the
 * environment and the streams of the process for itself, so they wait for each other.
 */
export function atriumHere(words: string, surroundings: Omit<Surroundings, 'kill'> = {}): Promise<Said> {
  const said = last.then(() => run(words, surroundings))
  last = said.catch(() => {})
  return said
}

async function run(words: string, { env = {}, stdin = '' }: Surroundings): Promise<Said> {
  let [out, err] = ['', '']
  const { promise: ended, resolve: end } = Promise.withResolvers<number>()
  const restore = [
    ...SIGNALS.map(keepListeners),
    replace(process, 'argv', [process.execPath, CLI, ...words.split(' ').filter(Boolean)]),
    replace(process, 'env', { ...nowhere(), ...env }),
    replace(process, 'stdin', Readable.from(stdin ? [stdin] : [], { objectMode: false })),
    replace(process, 'exit', end),
    replace(process.stdout, 'write', (text: string, written?: () => void) => {
      out += text
      written?.()
    }),
    replace(process.stderr, 'write', (text: string) => {
      err += text
    }),
  ]
  try {
    await import(`${CLI}?${++loads}`)
    return { code: await ended, out, err, json: () => JSON.parse(out) }
  } finally {
    for (const undo of restore) undo()
  }
}

/** What a command does on a signal ends with its process elsewhere; here it would keep this process from ending. */
function keepListeners(signal: (typeof SIGNALS)[number]): () => void {
  const before = process.listeners(signal)
  return () => {
    for (const listener of process.listeners(signal)) if (!before.includes(listener)) process.off(signal, listener)
  }
}

function replace<T extends object>(owner: T, name: keyof T, value: unknown): () => void {
  const before = Object.getOwnPropertyDescriptor(owner, name)
  Object.defineProperty(owner, name, { value, configurable: true, writable: true })
  return () => (before ? Object.defineProperty(owner, name, before) : delete owner[name])
}
