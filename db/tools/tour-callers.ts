import { type Call, type Guide, hold, openGuide } from './tour-guide.ts'

/** One walk through the service: its guide, and what makes its names differ from those of other walks. */
export interface Trip extends Guide {
  run: string
  password: string
  /** Signs in and tells about it. */
  signIn(sentence: string, credentials: object): Promise<Caller>
}

/** Who makes calls with a token of their own. */
export interface Caller {
  get(path: string, headers?: Record<string, string>): Call
  post(path: string, body?: unknown, headers?: Record<string, string>): Call
  put(path: string, body?: unknown): Call
  upload(path: string, file: File): Call
}

export function openTrip(base: string): Trip {
  const guide = openGuide(base)
  return {
    ...guide,
    run: Date.now().toString(36),
    password: 'a bench by the river',
    async signIn(sentence, credentials) {
      const { accessToken } = await guide.tell(
        sentence,
        post('/auth/login', credentials),
        200,
        (pair) => `a ${pair.tokenType} token for ${pair.expiresIn / 3600} hours`,
      )
      return callerWith(`Bearer ${accessToken}`)
    },
  }
}

function callerWith(authorization: string): Caller {
  return {
    get: (path, headers) => get(path, { ...headers, authorization }),
    post: (path, body, headers) => post(path, body, { ...headers, authorization }),
    put: (path, body) => ({ method: 'PUT', path, body, headers: { authorization } }),
    upload: (path, file) => ({ method: 'POST', path, file, headers: { authorization } }),
  }
}

/** Without a token. */
export function get(path: string, headers: Record<string, string> = {}): Call {
  return { method: 'GET', path, headers }
}

/** Without a token. */
export function post(path: string, body?: unknown, headers: Record<string, string> = {}): Call {
  return { method: 'POST', path, body, headers }
}

export function refusal(error: { type: string }, { body }: { body: { message: string } }): string {
  return `${error.type}: ${body.message}`
}

/** Shows a task that stands as it should. */
export function stands(status: string, version: number) {
  return (task: { id: number; status: string; version: number }): string => {
    hold(task.status === status && task.version === version, `${status} at version ${version}`)
    return `task ${task.id}: ${task.status}, version ${task.version}`
  }
}
