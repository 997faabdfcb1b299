import { createServer, type Server } from 'node:http'
import { afterEach, describe, expect, test } from 'vitest'
import { freePort } from '../../appliance/embedded/postmaster.ts'
import { type NameServer, startNameServer } from '../support/name-server.ts'
import { type Nginx, nginxResolves, startNamingNginx } from '../support/nginx.ts'

/** Replicas are told apart by their loopback addresses; each answers with its own. */
const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanUp of cleanups.splice(0).reverse()) await cleanUp()
})

describe.skipIf(!nginxResolves('replicas that come back with another address'))('nginx with our configuration', () => {
  test('starts with one replica missing, finds it, and finds it again at another address', async () => {
    const port = await freePort()
    const names = await givenNames({ 'atrium-1': '127.0.0.2' })
    await givenReplica('127.0.0.2', port)
    const nginx = await givenNginx(names.port, port)

    expect(await answersOf(nginx)).toEqual(['127.0.0.2'])

    await givenReplica('127.0.0.3', port)
    names.tell('atrium-2', '127.0.0.3')
    await expect.poll(() => answersOf(nginx), { timeout: 15_000 }).toEqual(['127.0.0.2', '127.0.0.3'])

    await givenReplica('127.0.0.4', port)
    names.tell('atrium-1', '127.0.0.4')
    await expect.poll(() => answersOf(nginx), { timeout: 15_000 }).toEqual(['127.0.0.3', '127.0.0.4'])
  })

  test('answers in the words of the service where no replica has a name', async () => {
    const names = await givenNames({})
    const nginx = await givenNginx(names.port, await freePort())

    const answer = await fetch(`http://127.0.0.1:${nginx.port}/api/v1/projects`)

    expect(answer.status).toBe(503)
    expect(await answer.json()).toMatchObject({ error: { type: 'UNAVAILABLE' } })
  })
})

/** Which replicas answer, of twenty requests. */
async function answersOf({ port }: Nginx): Promise<string[]> {
  const asked = Array.from({ length: 20 }, async () => (await fetch(`http://127.0.0.1:${port}/livez`)).text())
  return [...new Set(await Promise.all(asked))].sort()
}

async function givenNames(known: Record<string, string>): Promise<NameServer> {
  const names = await startNameServer()
  cleanups.push(() => names.close())
  for (const [name, address] of Object.entries(known)) names.tell(name, address)
  return names
}

async function givenReplica(address: string, port: number): Promise<Server> {
  const replica = createServer((_req, res) => res.end(address))
  await new Promise<void>((resolve) => replica.listen(port, address, resolve))
  cleanups.push(() => {
    replica.closeAllConnections()
    replica.close()
  })
  return replica
}

async function givenNginx(resolverPort: number, replicaPort: number): Promise<Nginx> {
  const nginx = await startNamingNginx(resolverPort, replicaPort)
  cleanups.push(() => nginx.stop())
  return nginx
}
