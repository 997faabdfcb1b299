import { fstatSync, write } from 'node:fs'
import { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/** Lines on their way to a descriptor. */
export interface Output {
  /** Accepts a line, and never waits. */
  write(line: string): void
  /** lines that were lost so far */
  readonly dropped: number
  /** Resolves when everything is written or lost, or after `ms`. */
  flush(ms: number): Promise<void>
}

export interface OutputOptions {
  /** bytes that may wait; any more are lost */
  most?: number
  /** bytes per write, and ms after which fewer are written */
  piece?: number
  everyMs?: number
  /** Called with the number of lost lines, when lines are written again. */
  onBack?: (dropped: number) => void
}

/** Pieces of this size that several processes write into one pipe are not mixed. */
const PIECE = 4096

/** Writes bytes, and says when they are written or why they are not. */
type Put = (bytes: Buffer, done: (error?: Error | null) => void) => void

/**
 * Writes lines without ever waiting. What cannot be written, because the disk is full or no one reads the pipe, is
 * dropped and counted, and later lines are tried again. sonic-boom, which pino uses, retries a full disk forever and
 * blocks on a pipe that no one reads, even at the end of the process.
 */
export function openOutput(target: number | Put, options: OutputOptions = {}): Output {
  const { most = 1_048_576, piece = PIECE, everyMs = 1000, onBack } = options
  const put = typeof target === 'number' ? putterOf(target) : target
  const waiting: string[] = []
  let bytes = 0
  let underWay = 0
  let dropped = 0
  let told = 0

  function drop(lines: number) {
    dropped += lines
  }

  function send() {
    if (underWay > 0 || waiting.length === 0) return
    let size = 0
    do size += Buffer.byteLength(waiting[underWay++]!)
    while (underWay < waiting.length && size + Buffer.byteLength(waiting[underWay]!) <= piece)
    const leaving = waiting.splice(0, underWay).join('')
    bytes -= leaving.length
    put(Buffer.from(leaving), (error) => {
      const lines = underWay
      underWay = 0
      // Not retried immediately: the next write is soon enough.
      if (error) return drop(lines)
      const lost = dropped - told
      told = dropped
      if (lost > 0) onBack?.(lost)
      if (bytes >= piece) send()
    })
  }

  setInterval(send, everyMs).unref()
  return {
    write(line) {
      if (bytes >= most) return drop(1)
      waiting.push(line)
      bytes += line.length
      if (bytes >= piece) send()
    },
    get dropped() {
      return dropped
    },
    async flush(ms) {
      const end = performance.now() + ms
      for (send(); (underWay > 0 || waiting.length > 0) && performance.now() < end; send()) await sleep(5)
    },
  }
}

/** A socket writes to a pipe, because it does not block if no one reads; the thread pool writes to everything else. */
function putterOf(descriptor: number): Put {
  if (!isPipe(descriptor)) return (bytes, done) => putInto(descriptor, bytes, done)
  const socket = new Socket({ fd: descriptor, readable: false, writable: true })
  socket.on('error', () => {})
  return (bytes, done) => void socket.write(bytes, done)
}

function isPipe(descriptor: number): boolean {
  try {
    const stat = fstatSync(descriptor)
    return stat.isFIFO() || stat.isSocket()
  } catch {
    return false
  }
}

function putInto(descriptor: number, bytes: Buffer, done: (error?: Error | null) => void): void {
  write(descriptor, bytes, (error, written) => {
    if (error || written === bytes.length) return done(error)
    putInto(descriptor, bytes.subarray(written), done)
  })
}
