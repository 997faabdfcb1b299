import { readdirSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { openStorage } from '../../src/domains/files/storage/open-storage.ts'
import { sweepFiles } from '../../src/domains/files/upkeep/sweep.ts'
import { loadDomains } from '../../src/load-domains.ts'
import { testConfig } from '../support/config.ts'
import { cloneDatabase, type Inspector, openInspector } from '../support/database.ts'
import { documentOf, EXTENSIONS, REFUSED } from '../support/documents.ts'
import { formOf } from '../support/form.ts'
import { expectNoViolation } from '../support/invariants.ts'
import { openLayer } from '../support/layer.ts'
import { until } from '../support/patience.ts'
import { type ServiceProcess, startProcess } from '../support/service.ts'
import { STORAGES } from '../support/storages.ts'
import { checkFiles, sha256, uploadTo } from '../support/uploads.ts'
import { randomFrom, signIn } from '../support/workload.ts'

/** UPLOADS=1000 KILLS=20 for the full run. */
const UPLOADS = Number(process.env.UPLOADS ?? 100)
const KILLS = Number(process.env.KILLS ?? 1)
const CLIENTS = 16
const MAX_SIZE = 600_000
const SEED = Number(process.env.UPLOAD_SEED ?? Date.now() % 1_000_000)
const chance = randomFrom(SEED)

/** What a client is about to send, and what must become of it. */
interface Intent {
  /** the original name, which no other upload has */
  name: string
  /** at which of the tenants */
  at: number
  fate: 'kept' | 'refused' | 'broken off'
  status: number
  form: ReturnType<typeof formOf>
  sha256?: string
}
/** `unknown`: the service was killed meanwhile, or said that it was not available. */
type Outcome = Intent & { became: 'acknowledged' | 'refused' | 'broken off' | 'unknown'; key?: string }

let service: ServiceProcess
let look: Inspector

describe.each(STORAGES)('files in $name', ({ name, given }) => {
  test(`agree with their table after ${UPLOADS} uploads of all kinds, kills: ${KILLS}`, async () => {
    const { spool, stored, env } = await given()
    const { tokens, databaseUrl } = await givenService(env)
    const { port } = service
    const intents = Array.from({ length: UPLOADS }, (_, at) => intentOf(at))
    const outcomes: Outcome[] = []
    const clients = Array.from({ length: CLIENTS }, async () => {
      for (let intent = intents.pop(); intent; intent = intents.pop()) outcomes.push(await send(port, intent, tokens))
    })
    const sent = Promise.all(clients)
    sent.catch(() => {})

    for (let kill = 1; kill <= KILLS; kill++) {
      await until(() => outcomes.length >= (UPLOADS * kill) / (KILLS + 1), 2)
      await service.end('SIGKILL')
      for (const path of temporaries(spool)) makeOld(path)
      service = await startProcess({ databaseUrl, port, env })
    }
    await sent

    // What a client broke off or the service refused has left nothing already; only what the kills cut short has.
    await expect.poll(() => temporaries(spool)).toEqual([])
    const unknown = outcomes.filter(({ became }) => became === 'unknown')
    const before = await checkFiles(look, stored())
    expect(before.violations).toBeLessThanOrEqual(unknown.length)
    const { matched, strays, orphans } = await sweep(databaseUrl, env)
    expect(orphans).toEqual([])

    const figures = [await checkFiles(look, stored()), ...(await checkOutcomes(outcomes))]
    expectNoViolation(`${UPLOADS} uploads to ${name}, kills: ${KILLS}`, figures, {
      seed: SEED,
      matched,
      bytesWithoutRowBeforeTheSweep: strays.length,
    })
  })
})

/** One in ten will be broken off, one in seven of the others must be refused, the rest are of all kinds and sizes. */
function intentOf(at: number): Intent {
  const tenant = at % 2
  const fate = at % 10 === 0 ? 'broken off' : at % 7 === 3 ? 'refused' : 'kept'
  if (fate === 'refused') {
    const { parts, end, status } = REFUSED[Math.floor(at / 7) % REFUSED.length]!(String(at), MAX_SIZE)
    return { name: String(at), at: tenant, fate, status, form: formOf(parts, { end: end ?? true }) }
  }
  const size = chance() < 0.1 ? 500_000 * chance() : 30_000 * chance()
  const document = documentOf(`${at}.${EXTENSIONS[at % EXTENSIONS.length]}`, Math.floor(size))
  const { filename: name, content } = document
  return { name, at: tenant, fate, status: 201, form: formOf([document]), sha256: sha256(content) }
}

/** Sends an upload; while the service is down it waits, as a client would. */
async function send(port: number, intent: Intent, tokens: string[]): Promise<Outcome> {
  const upTo = intent.fate === 'broken off' ? Math.floor(intent.form.payload.length * chance()) : undefined
  for (;;) {
    try {
      const answer = await uploadTo(port, tokens[intent.at]!, intent.form, upTo)
      if (!answer) return { ...intent, became: 'broken off' }
      if (answer.status === 503) return { ...intent, became: 'unknown' }
      expect([intent.name, answer.status]).toEqual([intent.name, intent.status])
      if (answer.status !== 201) return { ...intent, became: 'refused' }
      return { ...intent, became: 'acknowledged', key: answer.data.key }
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      if (code !== 'ECONNREFUSED' && code !== 'ECONNRESET' && code !== 'EPIPE') throw error
      if (code !== 'ECONNREFUSED') return { ...intent, became: 'unknown' }
      await until(() => service.isAlive())
    }
  }
}

/** Compares the table with what the clients were answered. */
async function checkOutcomes(outcomes: Outcome[]) {
  const rows = await look.rows<{ name: string; key: string; sha256: string }>(
    `select original_name as name, tenant_id || '/' || filename as key, sha256 from files`,
  )
  const rowsOf = (outcome: Outcome) => rows.filter(({ name }) => name.split('.')[0] === outcome.name.split('.')[0])
  const of = (...wanted: Outcome['became'][]) => outcomes.filter(({ became }) => wanted.includes(became))
  const figureOf = (id: string, sentence: string, among: Outcome[], isBroken: (outcome: Outcome) => boolean) => ({
    id,
    sentence,
    checked: among.length,
    violations: among.filter(isBroken).length,
  })
  const audited = await look.count(
    `select count(*) from audit_operations where route = '/api/v1/files' and status = 201`,
  )
  return [
    figureOf('I1', 'each acknowledged upload is there, once, as it was sent', of('acknowledged'), (outcome) => {
      const [row, another] = rowsOf(outcome)
      return another !== undefined || row?.key !== outcome.key || row?.sha256 !== outcome.sha256
    }),
    figureOf(
      'I2',
      'each upload that was refused or broken off left no row',
      of('refused', 'broken off'),
      (outcome) => rowsOf(outcome).length > 0,
    ),
    figureOf('I2u', 'each upload of unknown outcome is there as it was sent, or not at all', of('unknown'), (outcome) =>
      rowsOf(outcome).some((row) => outcome.fate !== 'kept' || row.sha256 !== outcome.sha256),
    ),
    {
      id: 'I3',
      sentence: 'each file has one audit row of its upload',
      checked: rows.length,
      violations: Math.abs(audited - rows.length),
    },
  ]
}

/** The service, and two people of two tenants who are signed in to it. */
async function givenService(env: Record<string, string>) {
  const databaseUrl = await cloneDatabase()
  look = await openInspector(databaseUrl)
  Object.assign(env, { FILE_MAX_SIZE_BYTES: String(MAX_SIZE) })
  service = await startProcess({ databaseUrl, env })
  const { remote } = service
  const admin = await signIn(remote)
  const other = { name: 'Other', code: 'other', plan: 'test', adminUsername: 'boss', adminPassword: 'a-long-password' }
  ;(await admin.client.post('/tenants', { ...other, adminEmail: 'boss@company.example' })).expect(201)
  const boss = await signIn(remote, 'other', 'boss', other.adminPassword)
  return { tokens: [admin.person.token, boss.person.token], databaseUrl }
}

/** What the service does by itself once things are ten minutes old. */
async function sweep(url: string, env: Record<string, string>) {
  const config = testConfig(env)
  await loadDomains(config)
  const database = await openLayer(url)
  const storage = await openStorage(config.files)
  // The fewer uploads had ended, the larger is the share that two kills have cut short.
  const findings = await sweepFiles(database, storage, { lost: 0, although: true })
  storage.close()
  await database.close()
  return findings
}

/** The uploads under way, and those that were. */
function temporaries(spool: string): string[] {
  return readdirSync(spool, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.includes('.upload-'))
    .map((path) => join(spool, path))
}

/** Older than what may still be under way: the service removes it when it starts again. */
function makeOld(path: string) {
  const at = Date.now() / 1000 - 61
  utimesSync(path, at, at)
}
