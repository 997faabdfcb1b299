import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'

/**
 * Listens for a moment, exclusively.
 * @returns the port; a free one if 0 was asked for
 * @throws the system's error, such as EADDRINUSE
 */
export async function probePort({ port, host }: { port: number; host: string }): Promise<number> {
  const probe = createServer().listen({ port, host, exclusive: true })
  await once(probe, 'listening')
  const free = (probe.address() as AddressInfo).port
  probe.close()
  await once(probe, 'close')
  return free
}
