import { readFileSync } from 'node:fs'
import { constants } from 'node:os'
import { createInterface } from 'node:readline'
import { type CommandLine, Refusal } from '../../src/atrium/command-line.ts'

/** The requested output, on stdout, so that it can be piped. */
export function say(text: string): void {
  process.stdout.write(`${text}\n`)
}

export function sayJson(value: unknown): void {
  say(JSON.stringify(value, null, 2))
}

/** Everything else, on stderr. */
export function remark(text: string): void {
  process.stderr.write(`${text}\n`)
}

/** What the running command takes back if it is broken off. */
let careful: AbortController | undefined
let stoppedAt = Number.NEGATIVE_INFINITY
/** A Ctrl-C comes from the terminal and from npm: a signal this soon after the first is the same one. */
export const ECHO_MS = 200

/**
 * From now on Ctrl-C, SIGTERM and the end of the terminal end the process: immediately, because the database takes back
 * what was not committed, or after what `unlessStopped` runs has cleaned up. It ends by itself and not by the signal, so
 * that an embedded PostgreSQL ends with it.
 */
export function endOnSignals(): void {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.off(signal, end).on(signal, end)
  // A terminal that is gone takes no more remarks, and what was begun is taken back nevertheless.
  process.stderr.off('error', ignore).on('error', ignore)
}

function ignore() {}

function end(signal: NodeJS.Signals): void {
  if (performance.now() - stoppedAt < ECHO_MS) return
  if (!careful || careful.signal.aborted) process.exit(128 + constants.signals[signal])
  stoppedAt = performance.now()
  careful.abort()
  remark('Stopping. A second time ends it immediately.')
}

export const unlessStopped: CommandLine['unlessStopped'] = async (outcome, work) => {
  careful = new AbortController()
  const { signal } = careful
  try {
    return await work(signal)
  } catch (error) {
    throw signal.aborted ? new Refusal(`Stopped. ${outcome}`) : error
  } finally {
    careful = undefined
  }
}

/** A terminal overwrites its line; elsewhere a line is written every ten seconds. */
const EVERY_MS = { terminal: 100, elsewhere: 10_000 }

/** Shows progress on stderr: `tasks: 12 000, 3.4 MiB`. */
export function openProgress() {
  const isWatched = process.stderr.isTTY === true
  const every = isWatched ? EVERY_MS.terminal : EVERY_MS.elsewhere
  let last = performance.now()
  return {
    tell(what: string, count: number, bytes: number) {
      if (performance.now() - last < every) return
      last = performance.now()
      const line = `${what}: ${count}, ${(bytes / 2 ** 20).toFixed(1)} MiB`
      process.stderr.write(isWatched ? `\r\x1b[K${line}` : `${line}\n`)
    },
    end() {
      if (isWatched) process.stderr.write('\r\x1b[K')
    },
  }
}

/** The first line of the file, else what is typed twice at a terminal, else the first line of stdin. */
export const readPassword: CommandLine['readPassword'] = async (file, whose) => {
  if (file !== undefined) return firstLine(readFileSync(file, 'utf8'))
  if (!process.stdin.isTTY) return firstLine(await readAll())
  const password = await ask(`Password of ${whose}: `)
  if ((await ask('Once more: ')) !== password) throw new Refusal('The two passwords are not the same.')
  return password
}

function firstLine(text: string): string {
  const [line = ''] = text.split(/\r?\n/, 1)
  if (line === '') throw new Refusal('No password was given: pipe it in, or name a file with --password-file.')
  return line
}

async function readAll(): Promise<string> {
  let text = ''
  for await (const chunk of process.stdin.setEncoding('utf8')) text += chunk
  return text
}

/** Prompts at the terminal without showing what is typed. */
function ask(question: string): Promise<string> {
  process.stderr.write(question)
  const lines = createInterface({ input: process.stdin, terminal: true, output: undefined })
  return new Promise((resolve, reject) => {
    lines.once('line', (line) => {
      resolve(line)
      lines.close()
    })
    lines.once('SIGINT', () => lines.close())
    lines.once('close', () => {
      process.stderr.write('\n')
      reject(new Refusal('Nothing was changed.'))
    })
  })
}
