import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

/** A client that writes its bytes by hand, as one that misbehaves does. It ends with the test. */
export async function openLine(port: number, { allowHalfOpen = false } = {}): Promise<Line> {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen })
  let received = ''
  socket.setNoDelay(true).setEncoding('latin1')
  socket.on('data', (text) => {
    received += text
  })
  await once(socket, 'connect')
  socket.on('error', () => {})
  onTestFinished(() => void socket.destroy())
  return {
    socket,
    write: (bytes) => new Promise((left) => socket.write(bytes, () => left())),
    received: () => received,
    closed: new Promise((gone) => socket.once('close', () => gone())),
  }
}
export interface Line {
  socket: Socket
  /** Resolves once the bytes have left, or never will. */
  write(bytes: string | Uint8Array): Promise<void>
  received(): string
  closed: Promise<void>
}
