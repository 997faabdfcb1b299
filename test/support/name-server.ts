import { createSocket } from 'node:dgram'
import { once } from 'node:events'

/** A name server on loopback that answers what it was given last. */
export interface NameServer {
  port: number
  /** Undefined: there is no such name any more. */
  tell(name: string, address: string | undefined): void
  close(): void
}

const HEADER_BYTES = 12
const [ANSWER, NO_SUCH_NAME] = [0x8180, 0x8183]
const [A, INTERNET, SECONDS] = [1, 1, 1]

export async function startNameServer(): Promise<NameServer> {
  const addresses = new Map<string, string>()
  const socket = createSocket('udp4')
  socket.on('message', (query, from) => {
    const { name, end } = readName(query)
    const asksForAddress = query.readUInt16BE(end) === A
    const address = addresses.get(name)
    const answer = address && asksForAddress ? recordOf(address) : Buffer.alloc(0)
    const header = Buffer.from(query.subarray(0, HEADER_BYTES))
    header.writeUInt16BE(address ? ANSWER : NO_SUCH_NAME, 2)
    header.writeUInt16BE(answer.length > 0 ? 1 : 0, 6)
    header.writeUInt32BE(0, 8)
    socket.send(Buffer.concat([header, query.subarray(HEADER_BYTES, end + 4), answer]), from.port, from.address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  return {
    port: socket.address().port,
    tell: (name, address) => void (address ? addresses.set(name, address) : addresses.delete(name)),
    close: () => socket.close(),
  }
}

/** The requested name, and where it ends in the query. */
function readName(query: Buffer): { name: string; end: number } {
  const labels: string[] = []
  let at = HEADER_BYTES
  for (let length = query[at]!; length > 0; length = query[at]!) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length))
    at += 1 + length
  }
  return { name: labels.join('.'), end: at + 1 }
}

/** One address, for the name that the question has. */
function recordOf(address: string): Buffer {
  const record = Buffer.alloc(16)
  record.writeUInt16BE(0xc000 | HEADER_BYTES, 0)
  record.writeUInt16BE(A, 2)
  record.writeUInt16BE(INTERNET, 4)
  record.writeUInt32BE(SECONDS, 6)
  record.writeUInt16BE(4, 10)
  for (const [at, part] of address.split('.').entries()) record[12 + at] = Number(part)
  return record
}
