import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { freePort } from '../../appliance/embedded/postmaster.ts'

const START = fileURLToPath(new URL('../../start.js', import.meta.url))

/**
 * The service as `npm start` starts it, on a database of its own, for as long as the work takes.
 * @param use is given its address, and the folder that it works in, which is removed afterwards
 */
export async function withService<T>(use: (address: string, folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'atrium-document-'))
  const port = await freePort()
  const service = spawn(process.execPath, [START], {
    cwd: folder,
    env: { ...process.env, ...settingsOf(port), DATA_DIR: join(folder, 'data') },
    stdio: 'ignore',
  })
  const address = `http://127.0.0.1:${port}`
  try {
    await untilReady(address, service)
    return await use(address, folder)
  } finally {
    service.kill('SIGTERM')
    await new Promise((resolve) => service.once('exit', resolve))
    await rm(folder, { recursive: true, force: true })
  }
}

/** One address, one person: what limits them is tested elsewhere. */
function settingsOf(port: number): Record<string, string> {
  const limits = ['SIGN_IN', 'REGISTRATION', 'CONTACT', 'REFRESH', 'COMMENT', 'UPLOAD', 'CHECKOUT']
  return {
    ...Object.fromEntries(limits.map((what) => [`${what}_LIMIT`, '0'])),
    NODE_ENV: 'development',
    PORT: String(port),
    METRICS_PORT: '0',
    // A machine that is busy is no overload of the service, nor of its database.
    OVERLOAD_DELAY_MS: '0',
    DATABASE_TIMEOUT_MS: '60000',
    LOG_LEVEL: 'silent',
  }
}

/** On a busy machine the first start takes minutes. */
async function untilReady(address: string, service: ChildProcess): Promise<void> {
  for (const until = performance.now() + 600_000; performance.now() < until; await sleep(100)) {
    if ((await fetch(`${address}/readyz`).catch(() => undefined))?.ok) return
    const end = service.exitCode ?? service.signalCode
    if (end !== null) throw new Error(`The service ended with ${end} before it was ready`)
  }
  throw new Error('The service did not become ready within ten minutes')
}
