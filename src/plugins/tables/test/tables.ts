import type { FastifyInstance } from 'fastify'
import type { Client } from '#test/client.ts'
import type { Person } from '#test/world.ts'

export const CSV = { accept: 'text/csv' }

/** Begins to receive a list as a table, as fast as the stream is read. */
export async function streamOf(app: FastifyInstance, person: Person, path: string) {
  const response = await app.inject({
    url: `/api/v1${path}`,
    headers: { authorization: `Bearer ${person.token}`, ...CSV },
    payloadAsStream: true,
  })
  return { status: response.statusCode, stream: response.stream().setEncoding('utf8'), response }
}

/** All rows of a list, by its pages of JSON. */
export async function walk(client: Client, path: string, size = 2): Promise<Record<string, unknown>[]> {
  const rows: Record<string, unknown>[] = []
  for (let next: string | undefined = `${path}${path.includes('?') ? '&' : '?'}pageSize=${size}`; next; ) {
    const answer = await client.get(next)
    const page = answer.expect(200)
    rows.push(...(Array.isArray(page) ? page : page.items))
    next = /<\/api\/v1([^>]*)>; rel="next"/.exec(String(answer.headers.link))?.[1]
  }
  return rows
}
