import pino from 'pino'
import type { TestProject } from 'vitest/node'
import { prepareDatabase } from '../../src/start.ts'
import { startThrowawayServer, type ThrowawayServer } from '../../tools/throwaway.ts'
import { testConfig } from './config.ts'
import { startPgBouncer } from './pgbouncer.ts'
import { closeOnAll, createOnAll, databaseOn, dropOnAll, joinAll, nodesOf, TEST_CITUS } from './servers.ts'

/** As many as the connections of a service of a test, so that what tests hold on purpose keeps nobody else waiting. */
const SERVER_CONNECTIONS = 8

/**
 * Once for each project: a template that is migrated and bootstrapped, on the one PostgreSQL of the run. Each test file
 * clones it. With TEST_PGBOUNCER=1 every service of the tests reaches its database through a PgBouncer in transaction
 * mode. With TEST_CITUS the template is distributed over the nodes of that cluster, and its clones are.
 */
export default async function setup(project: TestProject) {
  const { servers, empty, template, stop } = await (TEST_CITUS
    ? beginOnCluster(TEST_CITUS, project.name)
    : beginOnOne(project))
  const url = databaseOn(servers[0]!, template)
  await createOnAll(servers, template, empty)
  const DOMAINS = project.config.env?.DOMAINS ?? process.env.DOMAINS ?? ''
  const { database } = await prepareDatabase(testConfig({ DOMAINS }), url, pino({ level: 'silent' }))
  await database.close()
  if (empty) await closeOnAll(servers, template)
  const pooler = process.env.TEST_PGBOUNCER ? await startPgBouncer(servers[0]!, SERVER_CONNECTIONS) : undefined
  project.provide('serverUrl', servers[0]!)
  project.provide('servers', servers)
  project.provide('empty', empty)
  project.provide('template', template)
  project.provide('poolerUrl', pooler?.through(servers[0]!) ?? '')
  return async () => {
    await pooler?.stop()
    await stop()
  }
}

/** What the projects of a run share: each of them loads this module for itself. */
const run = globalThis as { atriumServer?: Promise<ThrowawayServer> }

async function beginOnOne({ name, vitest }: TestProject) {
  if (!run.atriumServer) {
    run.atriumServer = startThrowawayServer()
    vitest.onClose(async () => (await run.atriumServer)?.stop())
  }
  const servers = [(await run.atriumServer).url('postgres')]
  return { servers, empty: undefined, template: `atrium_${name}_template`, stop: async () => {} }
}

/** Projects run side by side on the same cluster. */
async function beginOnCluster(url: string, project: string) {
  const servers = [...(await nodesOf(url))]
  const [empty, template] = [`atrium_${project}_empty`, `atrium_${project}_template`]
  const drop = async () => {
    for (const name of [empty, template]) await dropOnAll(servers, name)
  }
  await drop()
  await createOnAll(servers, empty)
  await joinAll(servers, empty)
  await closeOnAll(servers, empty)
  return { servers, empty, template, stop: drop }
}
