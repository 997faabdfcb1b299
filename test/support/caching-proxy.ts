import type { FastifyInstance } from 'fastify'

interface Proxied {
  status: number
  headers: Record<string, string>
  body: string
  /** it was answered from what is kept, without asking the service */
  hit: boolean
}

interface Kept extends Omit<Proxied, 'hit'> {
  /** the headers that the answer depends on, as the request that it answered had them */
  selecting: Record<string, string | undefined>
  until: number
}

/**
 * A shared cache as RFC 9111 has it: it stores what may be stored, answers from it as long as it is fresh to requests
 * whose headers named by `Vary` are the same, and then asks again by the tag.
 */
export function cachingProxy(app: FastifyInstance) {
  const kept = new Map<string, Kept[]>()
  let now = 0

  return {
    async get(path: string, headers: Record<string, string> = {}): Promise<Proxied> {
      const matching = (kept.get(path) ?? []).find(({ selecting }) =>
        Object.entries(selecting).every(([name, value]) => headers[name] === value),
      )
      if (matching && matching.until > now) return { ...matching, hit: true }
      const tag = matching && { 'if-none-match': matching.headers.etag! }
      const answer = await ask(path, { ...headers, ...tag })
      const fresh =
        matching && answer.status === 304
          ? { ...matching, headers: { ...matching.headers, ...answer.headers } }
          : answer
      store(path, headers, fresh)
      return { ...fresh, hit: false }
    },
    /** what it has stored, as it would lie on its disk */
    stored: () => JSON.stringify([...kept]),
    /** moves its clock on */
    wait(seconds: number) {
      now += seconds
    },
  }

  async function ask(path: string, headers: Record<string, string>) {
    const { statusCode, headers: answered, body } = await app.inject({ method: 'GET', url: path, headers })
    return { status: statusCode, headers: answered as Record<string, string>, body }
  }

  function store(path: string, asked: Record<string, string>, answer: Omit<Proxied, 'hit'>) {
    const seconds = freshnessOf(asked, answer)
    const names = (answer.headers.vary ?? '').split(',').map((name) => name.trim().toLowerCase())
    if (!seconds || names.includes('*')) return
    const selecting = Object.fromEntries(names.filter(Boolean).map((name) => [name, asked[name]]))
    const others = (kept.get(path) ?? []).filter((one) => JSON.stringify(one.selecting) !== JSON.stringify(selecting))
    kept.set(path, [...others, { ...answer, selecting, until: now + seconds }])
  }
}
export type CachingProxy = ReturnType<typeof cachingProxy>

/** Seconds for which a shared cache may keep an answer; 0: not at all. */
function freshnessOf(asked: Record<string, string>, { status, headers }: Omit<Proxied, 'hit'>): number {
  const directives = (headers['cache-control'] ?? '').split(',').map((directive) => directive.trim())
  const isOpen = directives.includes('public')
  if (status !== 200 || directives.includes('no-store') || directives.includes('private')) return 0
  if (asked.authorization !== undefined && !isOpen) return 0
  return Number(directives.find((directive) => directive.startsWith('max-age='))?.slice('max-age='.length) ?? 0)
}
