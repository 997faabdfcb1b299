import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'

/**
 * Listens for a moment, as no other program may.
 * @returns the port; one that was free if 0 was asked for
 * @throws the error of the system, such as EADDRINUSE
 */
export async function probePort({ port, host }: { port: number; host: string }): Promise<number> {
  const probe = createServer().listen({ port, host, exclusive: true })
  await once(probe, 'listening')
  const free = (probe.address() as AddressInfo).port
  probe.close()
  await once(probe, 'close')
  return free
}
