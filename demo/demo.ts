import { createHash } from 'node:crypto'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import pino from 'pino'
import { explain } from '../appliance/cli/refusal.ts'
import { endOnSignals, remark, say, unlessStopped } from '../appliance/cli/terminal.ts'
import { startEmbedded } from '../appliance/embedded/embedded.ts'
import { Refusal } from '../src/atrium/command-line.ts'
import type { Config } from '../src/config/config.ts'
import { readOwnConfig } from '../src/config/own-config.ts'
import { openScope, sharedScope } from '../src/data/tx/open-scope.ts'
import type { Scope } from '../src/data/tx/scope.ts'
import type { Database } from '../src/data/wire/database.ts'
import { openStorage } from '../src/domains/files/storage/open-storage.ts'
import { hashPassword } from '../src/domains/people/passwords.ts'
import { findTenantByCode } from '../src/domains/tenants/tenants.store.ts'
import { FIRST_TENANT } from '../src/kernel/actor.ts'
import { Fault } from '../src/kernel/fault.ts'
import { prepareDatabase } from '../src/start.ts'
import { PLAN, setStage } from './cast.ts'
import { codeNow } from './code.ts'
import { northwindLabs, velora } from './companies.ts'
import { isKnown } from './deeds.ts'
import { perform } from './perform.ts'
import { watch } from './progress.ts'
import { recall, requestIdOf } from './recall.ts'
import { tellStory } from './story.ts'
import { PASSWORD, type Secrets, summarize } from './summary.ts'

/**
 * `npm run seed:demo`: two companies with forty people, and half a year of their work, made through the actions as if
 * they had used the service every day: projects, requests, papers, pages and comments of the public. Every run makes
 * the same story, and an interrupted run continues. With `-- --code` it prints the current code of the second factor.
 */
async function main() {
  if (process.env.NODE_ENV === 'production')
    throw new Refusal('The demo makes people whose password everybody knows: it is not for production.')
  const config = readOwnConfig(process.env)
  say('\n  Reading what is in the database.')
  const embedded = config.databaseUrl
    ? undefined
    : await startEmbedded({
        dir: resolve(config.dataDir),
        durable: true,
        mode: 'shared',
        log: (line) => say(`  ${line}`),
      })
  try {
    const logger = pino({ level: 'warn' }, pino.destination(2))
    const { database } = await prepareDatabase(config, config.databaseUrl ?? hasty(embedded!.url()), logger)
    await seed(database, config).finally(() => database.close())
  } finally {
    await embedded?.stop()
  }
}

/** Thousands of commits need not wait for the disk: what a crash of the machine loses, the next run adds again. */
function hasty(url: string): string {
  const address = new URL(url)
  address.searchParams.set('options', '-c synchronous_commit=off')
  return address.href
}

/** More gain little, and mix up the order of ids. */
const AT_ONCE = 4

async function seed(database: Database, config: Config): Promise<void> {
  const started = performance.now()
  const steps = tellStory().filter(isKnown)
  const edition = createHash('sha256').update(JSON.stringify(steps)).digest('hex').slice(0, 8)
  const { memory, done } = await recall(database, await scopesOfDemo(database), steps, edition)
  const ahead = steps
    .map((step, number) => ({ step, number, requestId: requestIdOf(edition, number) }))
    .filter(({ number }) => !done.has(number))
  if (ahead.every(({ step }) => step.does === 'read the inbox'))
    return say('The demo is here already. Nothing was changed.')

  say(done.size ? '  A demo was interrupted here; it goes on.\n' : '  Half a year in two companies.\n')
  const passwordHash = await hashPassword(PASSWORD)
  const stages = await setStage(database, passwordHash)
  const secrets: Secrets = []
  const office = {
    config,
    passwordHash,
    show: (what: string, secret: string) =>
      void secrets.push([what, secret.startsWith('/') ? `http://localhost:${config.port}${secret}` : secret]),
  }
  const progress = watch(process.stdout, steps, done)
  const storage = await openStorage(config.files)
  await unlessStopped('Run it again and it goes on from here.', async (signal) => {
    const width = Math.min(AT_ONCE, config.databaseHeldLines)
    await perform({ database, storage, stages, memory, office }, ahead, { width, signal, onDone: progress.advance })
    signal.throwIfAborted()
  }).finally(() => {
    progress.end()
    storage.close()
  })
  const seconds = (performance.now() - started) / 1000
  say(await summarize(database, stages, steps, { seconds, port: config.port, secrets }))
}

/** Where a demo may have been before, by company; empty if its second tenant is missing. */
async function scopesOfDemo(database: Database): Promise<Map<string, Scope>> {
  const tenant = await findTenantByCode(sharedScope(database), { code: northwindLabs.code })
  if (!tenant) return new Map()
  if (tenant.plan !== PLAN)
    throw new Refusal(`There is a tenant ${northwindLabs.code} that is not the demo's. Nothing was changed.`)
  return new Map([
    [velora.code, openScope(database, FIRST_TENANT)],
    [northwindLabs.code, openScope(database, tenant.id)],
  ])
}

/** What a person can do about it; a stack only for our own mistakes. */
function reasonOf(error: Error): string {
  if (!(error instanceof Fault)) return explain(error)
  return `The demo does not fit the data any more (${error.type}: ${error.message}). Somebody has changed what it had made; start with an empty database.`
}

endOnSignals()
const { values } = parseArgs({ options: { code: { type: 'boolean', default: false } } })
if (values.code) say(codeNow())
else
  await main().catch((error) => {
    remark(reasonOf(error))
    process.exitCode = 1
  })
