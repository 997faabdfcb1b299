import { type Agent, request } from 'node:http'

export interface Question {
  method: string
  path: string
  token?: string
  body?: object | undefined
}

/** ms until the whole answer has come. @throws Error if it has another status */
export function timed(agent: Agent, port: number, question: Question, status: number): Promise<number> {
  const { method, path, token, body } = question
  return new Promise((resolve, reject) => {
    const text = body && JSON.stringify(body)
    const headers = {
      ...(token && { authorization: `Bearer ${token}` }),
      ...(text && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }),
    }
    const start = performance.now()
    const asking = request({ agent, host: '127.0.0.1', port, method, path, headers }, (answer) => {
      answer.resume()
      answer.on('end', () =>
        answer.statusCode === status
          ? resolve(performance.now() - start)
          : reject(new Error(`${method} ${path}: ${answer.statusCode}`)),
      )
    })
    asking.on('error', reject)
    asking.end(text)
  })
}
