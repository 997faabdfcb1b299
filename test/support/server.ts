import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pino from 'pino'
import type { TestProject } from 'vitest/node'
import { prepareDatabase } from '../../src/start.ts'
import { administer, startThrowawayServer } from '../../tools/throwaway.ts'
import { testConfig } from './config.ts'
import { startPgBouncer } from './pgbouncer.ts'
import { closeOnAll, createOnAll, databaseOn, dropOnAll, joinAll, nodesOf, TEST_CITUS } from './servers.ts'
import { turnTriggers } from './triggers.ts'

/** As many as the connections of a service of a test, so that what tests hold on purpose keeps nobody else waiting. */
const SERVER_CONNECTIONS = 8

/**
 * Once for a run: one PostgreSQL, one template that is migrated and bootstrapped. Each test file clones it. With
 * TEST_PGBOUNCER=1 every service of the tests reaches its database through a PgBouncer in transaction mode. With
 * TEST_CITUS the template is distributed over the nodes of that cluster, and its clones are.
 */
export default async function setup(project: TestProject) {
  const removeFolders = await openFolder()
  const { servers, empty, template, stop } = await (TEST_CITUS
    ? beginOnCluster(TEST_CITUS, project.name)
    : beginOnOne())
  const url = databaseOn(servers[0]!, template)
  await createOnAll(servers, template, empty)
  const DOMAINS = project.config.env?.DOMAINS ?? process.env.DOMAINS ?? ''
  const { database } = await prepareDatabase(testConfig({ DOMAINS }), url, pino({ level: 'silent' }))
  await database.close()
  // What triggers do for the release before, the statements of this one do by themselves: the next release has none of
  // them, and neither has Citus.
  if (empty) await closeOnAll(servers, template)
  else await administer(url, turnTriggers('off'))
  const pooler = process.env.TEST_PGBOUNCER ? await startPgBouncer(servers[0]!, SERVER_CONNECTIONS) : undefined
  project.provide('serverUrl', servers[0]!)
  project.provide('servers', servers)
  project.provide('empty', empty)
  project.provide('template', template)
  project.provide('poolerUrl', pooler?.through(servers[0]!) ?? '')
  return async () => {
    await pooler?.stop()
    await stop()
    await removeFolders()
  }
}

/** The folder of the services of a run, which projects share. @returns removes it, if this project has made it */
async function openFolder(): Promise<() => Promise<void>> {
  if (process.env.TEST_DIR) return async () => {}
  const dir = await mkdtemp(join(tmpdir(), 'atrium-tests-'))
  // Some services run as other users, who make folders in it.
  await chmod(dir, 0o1777)
  process.env.TEST_DIR = dir
  return () => rm(dir, { recursive: true, force: true })
}

async function beginOnOne() {
  const server = await startThrowawayServer()
  return { servers: [server.url('postgres')], empty: undefined, template: 'atrium_template', stop: () => server.stop() }
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
