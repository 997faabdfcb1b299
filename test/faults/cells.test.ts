import { once } from 'node:events'
import { createServer, request } from 'node:http'
import { beforeAll, describe, expect, test } from 'vitest'
import { endsWithFile } from '../support/clean-up.ts'
import { type Nginx, nginxIsHere, startCells } from '../support/nginx.ts'
import { onLoopback } from '../support/on-loopback.ts'

/** Whole installations side by side: `deploy/cells.conf` sends each tenant to its own. */
const here = nginxIsHere()
let cells: Record<'a' | 'b', Awaited<ReturnType<typeof givenCell>>>
let nginx: Nginx

beforeAll(async () => {
  if (!here) return
  cells = { a: await givenCell('a'), b: await givenCell('b') }
  nginx = await startCells(cells.a.port, cells.b.port)
})

/** Answers with its name, and the host that it was asked as. */
async function givenCell(name: string) {
  const cell = await onLoopback(createServer((req, res) => res.end(`${name} ${req.headers.host}`)))
  return { port: cell.port, close: endsWithFile(cell.close) }
}

async function ask(headers: Record<string, string>): Promise<string> {
  const asked = request({ port: nginx.port, host: '127.0.0.1', path: '/api/v1/public/home', headers })
  asked.end()
  const [response] = await once(asked, 'response')
  return (await response.setEncoding('utf8').toArray()).join('')
}

describe.skipIf(!here)('the proxy of cells', () => {
  test.each([
    [{ host: 'acme.example.com' }, 'b acme.example.com'],
    [{ host: 'ACME.example.com' }, 'b acme.example.com'],
    [{ host: 'other.example.com' }, 'a other.example.com'],
    [{ host: 'other.example.com', 'x-tenant-code': 'acme' }, 'b other.example.com'],
    [{ host: 'other.example.com', 'x-tenant-code': ' Acme ' }, 'b other.example.com'],
    [{ host: 'other.example.com', 'x-tenant-code': 'acme-2' }, 'a other.example.com'],
    [{ host: 'acme.example.com', 'x-tenant-code': 'default' }, 'b acme.example.com'],
    [{ host: 'other.example.com', 'x-tenant-code': 'cell-b' }, 'a other.example.com'],
  ])('%j → %s', async (headers, answer) => {
    expect(await ask(headers)).toBe(answer)
  })

  test('sends nothing to another cell while one is away', async () => {
    await cells.b.close()
    expect(await ask({ host: 'acme.example.com' })).toContain('502 Bad Gateway')
    expect(await ask({ host: 'other.example.com' })).toBe('a other.example.com')
  })
})
