import { closeSync, openSync } from 'node:fs'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { cloneDatabase } from '../support/database.ts'
import { inTime } from '../support/patience.ts'
import { type ServiceProcess, startProcess } from '../support/service.ts'

/** More lines than a pipe and all that may wait in the process hold. */
const REQUESTS = 12_000
/** What a stop may take, and what a busy machine adds to it. */
const GRACE_MS = 10_000

let databaseUrl: string
let service: ServiceProcess | undefined
beforeEach(async () => {
  databaseUrl = await cloneDatabase()
})
afterEach(async () => {
  if (service?.isAlive()) await service.end('SIGKILL')
})

const env = { LOG_LEVEL: 'info' }

async function askOften({ remote }: ServiceProcess) {
  const statuses = new Set<number>()
  for (let sent = 0; sent < REQUESTS; sent += 64)
    for (const { status } of await Promise.all(Array.from({ length: 64 }, () => remote.probe('/api/v1/auth/me'))))
      statuses.add(status)
  return [...statuses]
}

describe('a service whose log', () => {
  test('nobody reads answers anyway, and stops on request', { timeout: 120_000 }, async () => {
    service = await startProcess({ databaseUrl, env, stdout: 'unread' })
    expect(await askOften(service)).toEqual([401])
    expect((await service.remote.probe('/livez')).status).toBe(200)
    const ended = await service.end('SIGTERM')
    expect(ended).toMatchObject({ code: 0, signal: null })
    expect(ended.after).toBeLessThan(inTime(GRACE_MS))
  })

  test.skipIf(process.platform !== 'linux')(
    'lies on a full disk answers anyway, and stops on request',
    { timeout: 120_000 },
    async () => {
      const full = openSync('/dev/full', 'w')
      service = await startProcess({ databaseUrl, env, stdout: full })
      closeSync(full)
      expect(await askOften(service)).toEqual([401])
      expect((await service.remote.probe('/livez')).status).toBe(200)
      expect(await service.end('SIGTERM')).toMatchObject({ code: 0, signal: null })
    },
  )
})
