import { connect } from 'node:net'

/** What one connection sends. */
export interface Sender {
  /** the next request, as it goes over the wire */
  next(): string
  /** the last one was answered 2xx */
  landed(): void
}

export interface Measured {
  requests: number
  seconds: number
  /** ms from the first byte sent to the last byte read, ascending */
  latencies: Float64Array
}

/**
 * Keeps one request pending on each of as many keep-alive connections as there are senders, for `seconds`; then waits
 * for the last answers. Plain sockets: beside a server on two cores the generator must cost little, and it knows the
 * shape of the answers. @throws Error with the answer if one is not 2xx
 *
 * @param perSecond at most this many requests a second, all connections together
 */
export async function load(port: number, senders: Sender[], seconds: number, perSecond = Infinity): Promise<Measured> {
  const latencies: number[] = []
  const start = performance.now()
  const end = start + seconds * 1000
  const pause = (1000 * senders.length) / perSecond
  const pace = (at: number) => ({ end, pause, first: start + (pause * at) / senders.length })
  await Promise.all(senders.map((sender, at) => drive(port, sender, pace(at), latencies)))
  return {
    requests: latencies.length,
    seconds: (performance.now() - start) / 1000,
    latencies: new Float64Array(latencies).sort(),
  }
}

/** When a connection sends its first request, how many ms later the next, and when no more. */
interface Pace {
  first: number
  pause: number
  end: number
}

function drive(port: number, sender: Sender, { first, pause, end }: Pace, latencies: number[]): Promise<void> {
  return new Promise((resolve, reject) => {
    let sentAt = 0
    let due = first
    let missing = 0
    const onread = { buffer: Buffer.allocUnsafe(65_536), callback: read }
    const socket = connect({ port, host: '127.0.0.1', noDelay: true, onread } as never)
    socket.once('connect', send).once('error', reject)
    socket.once('close', () => reject(new Error('the server closed a connection')))

    function send() {
      sentAt = performance.now()
      if (due > sentAt + 1 && due < end) return void setTimeout(send, due - sentAt)
      const isOver = Math.max(due, sentAt) >= end
      due = Math.max(due, sentAt - pause) + pause
      if (!isOver) return void socket.write(sender.next(), 'latin1')
      resolve()
      socket.destroy()
    }

    function read(size: number, buffer: Buffer): boolean {
      if (missing === 0) missing = sizeOfAnswer(buffer.subarray(0, size))
      if (missing === 0) {
        reject(new Error(`not the answer we want:\n${buffer.toString('latin1', 0, size)}`))
        return false
      }
      missing -= size
      if (missing > 0) return true
      latencies.push(performance.now() - sentAt)
      sender.landed()
      send()
      return true
    }
  })
}

const CONTENT_LENGTH = /\r\ncontent-length: (\d+)/i

/** The bytes of head and body, from the head; 0 if it is not a 2xx. Both servers send the head in one piece. */
function sizeOfAnswer(bytes: Buffer): number {
  const head = bytes.indexOf('\r\n\r\n') + 4
  const length = CONTENT_LENGTH.exec(bytes.toString('latin1', 0, head))?.[1]
  const isSuccess = bytes[9] === 0x32
  return isSuccess && length !== undefined ? head + Number(length) : 0
}

/** A quantile of ascending values. */
export function quantile(ascending: Float64Array, at: number): number {
  return ascending[Math.min(ascending.length - 1, Math.floor(ascending.length * at))] ?? Number.NaN
}
