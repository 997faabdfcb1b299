import { connect, type Socket } from 'node:net'

export interface PipelinedRequest {
  method: string
  path: string
  headers: Record<string, string>
  body?: string
}
interface PipelinedAnswer {
  status: number
  headers: Record<string, string>
  body: string
}

/** A connection on which requests are sent without waiting for each other, as HTTP/1.1 allows. */
export async function openPipeline(port: number) {
  const socket = connect(port, '127.0.0.1')
  socket.setNoDelay(true)
  await new Promise<void>((resolve, reject) => socket.once('connect', resolve).once('error', reject))
  socket.on('error', () => {})
  return {
    /** Sends them all together. Resolves with the answers in their order; rejects if the connection ends before. */
    send(requests: readonly PipelinedRequest[]): Promise<PipelinedAnswer[]> {
      const answers = readAnswers(socket, requests.length)
      socket.write(requests.map(asText).join(''))
      return answers
    },
    /** Cuts the connection during whatever is being sent. */
    abort: () => void socket.destroy(),
  }
}

function asText({ method, path, headers, body = '' }: PipelinedRequest): string {
  const fields: Record<string, string> = {
    host: 'localhost',
    ...headers,
    'content-length': String(Buffer.byteLength(body)),
  }
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}`)
  return `${method} ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${body}`
}

function readAnswers(socket: Socket, wanted: number): Promise<PipelinedAnswer[]> {
  return new Promise((resolve, reject) => {
    const answers: PipelinedAnswer[] = []
    let rest = Buffer.alloc(0)
    const ended = () => reject(new Error('the connection ended'))
    const read = (chunk: Buffer) => {
      rest = Buffer.concat([rest, chunk])
      for (let next = firstAnswer(rest); next; next = firstAnswer(rest)) {
        answers.push(next.answer)
        rest = rest.subarray(next.length)
      }
      if (answers.length < wanted) return
      socket.off('data', read)
      socket.off('close', ended)
      resolve(answers)
    }
    socket.on('data', read)
    socket.once('close', ended)
  })
}

/** The answer at the beginning of the bytes, once it is there in full. The service always tells its length. */
function firstAnswer(bytes: Buffer): { answer: PipelinedAnswer; length: number } | undefined {
  const end = bytes.indexOf('\r\n\r\n')
  if (end < 0) return undefined
  const [first, ...lines] = bytes.toString('latin1', 0, end).split('\r\n')
  const headers = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 2)]),
  )
  const length = end + 4 + Number(headers['content-length'] ?? 0)
  if (bytes.length < length) return undefined
  const body = bytes.toString('utf8', end + 4, length)
  return { answer: { status: Number(first!.split(' ')[1]), headers, body }, length }
}
